"""Owns the causes in which a Python or numpy value is asked of a tracer."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.rules import Match
from jaxtutor.core.diagnosis.transforms import find

_CONVERSIONS = (
    "ConcretizationTypeError",
    "TracerIntegerConversionError",
    "TracerArrayConversionError",
)


def _call(context: FailureContext) -> tuple[FrameContext, ast.Call, str] | None:
    """Give the call at fault and the path of its callee, if a conversion of a tracer failed."""
    frame, node = context.frame, context.node
    if frame is None or not isinstance(node, ast.Call) or context.error not in _CONVERSIONS:
        return None
    return frame, node, frame.dotted(node.func) or ""


def _builtin(context: FailureContext, *names: str) -> Match | None:
    found = _call(context)
    if found is None:
        return None
    frame, call, path = found
    plain = isinstance(call.func, ast.Name) and call.func.id in names
    fact = frame.fact(call.func)
    detail = fact.detail if fact is not None else ""
    is_builtin = detail in names or detail in {f"builtins.{n}" for n in names}
    return Match(facts=_argument(context)) if is_builtin or (plain and not path) else None


def _argument(context: FailureContext) -> dict[str, str]:
    return {"argument": context.argument} if context.argument else {}


def _method(context: FailureContext, *names: str) -> Match | None:
    found = _call(context)
    if found is None or not isinstance(found[1].func, ast.Attribute):
        return None
    return Match() if found[1].func.attr in names else None


# ---------------------------------------------------------------- matchers


def float_of(context: FailureContext) -> Match | None:
    """float() or complex() of a tracer."""
    return _builtin(context, "float", "complex")


def int_of(context: FailureContext) -> Match | None:
    """int() of a tracer."""
    return _builtin(context, "int")


def item(context: FailureContext) -> Match | None:
    """The method item of a tracer."""
    return _method(context, "item")


def tolist(context: FailureContext) -> Match | None:
    """The methods tolist and tobytes of a tracer."""
    return _method(context, "tolist", "tobytes")


def python_math(context: FailureContext) -> Match | None:
    """A function of the math, cmath or statistics module, given a tracer."""
    frame, node = context.frame, context.node
    path = frame.callee(node) if frame is not None else None
    if path is None or not path.startswith(("math.", "cmath.", "statistics.")):
        return None
    known = context.error in _CONVERSIONS or (
        context.error == "TypeError" and "Tracer" in context.message
    )
    return Match(facts={"name": path}) if known else None


def format_of(context: FailureContext) -> Match | None:
    """A tracer is written into a string with a format."""
    if context.error == "TypeError":
        said = ("unsupported format string passed to", " format: a ")
        is_said = any(words in context.message for words in said)
        return Match() if is_said and "Tracer" in context.message else None
    node = context.node
    is_percent = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)
    return Match() if context.error in _CONVERSIONS and is_percent and _is_text(node) else None


def _is_text(node: ast.AST | None) -> bool:
    left = node.left if isinstance(node, ast.BinOp) else None
    return isinstance(left, ast.JoinedStr | ast.Constant | ast.Name)


def scipy_call(context: FailureContext) -> Match | None:
    """A function of SciPy, given a tracer."""
    found = _call(context)
    frames = context.failure.jax_frames
    if found is not None and not found[2] and frames and frames[0].startswith("scipy."):
        return Match(facts={"name": frames[0]})
    return _library(context, "scipy.")


def numpy_call(context: FailureContext) -> Match | None:
    """A function of NumPy, given a tracer."""
    return _library(context, "numpy.")


def _library(context: FailureContext, prefix: str) -> Match | None:
    found = _call(context)
    path = found[2] if found is not None else ""
    if not path.startswith(prefix):
        path = _handed_over(context)
    return Match(facts={"name": path}) if path.startswith(prefix) else None


def _handed_over(context: FailureContext) -> str:
    """Give the library's function that a transformation was given, and called."""
    item = find(context, "vmap", "jit", "grad", "value_and_grad", "scan", "map", "cond", "switch")
    frame = context.frame
    if item is None or item.call is None or frame is None or context.error not in _CONVERSIONS:
        return ""
    paths = [frame.dotted(given) or "" for given in item.call.args]
    return next((path for path in paths if path in context.failure.jax_frames), "")


def buffer_write(context: FailureContext) -> Match | None:
    """A traced value is stored into a numpy array."""
    frame, node = context.frame, context.node
    if frame is None or not _is_store_failure(context):
        return None
    target = node.target if isinstance(node, ast.AugAssign) else node
    base = target.value if isinstance(target, ast.Subscript) else target
    is_store = isinstance(node, ast.AugAssign) or _is_store(node)
    is_array = frame.kind(base) == "ndarray" or "setting an array element" in context.message
    if not is_store or not is_array:
        return None
    container = frame.module.text(base) if base is not None else ""
    return Match(facts={"container": container, "name": container})


def _is_store_failure(context: FailureContext) -> bool:
    if context.error == "ValueError":
        return "setting an array element with a sequence" in context.message
    return context.error in _CONVERSIONS


def _is_store(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)


def index_into_numpy(context: FailureContext) -> Match | None:
    """A numpy array is indexed by a tracer."""
    found = _call(context)
    func = found[1].func if found is not None else None
    if found is not None and isinstance(func, ast.Attribute) and func.attr == "take":
        is_array = found[0].kind(func.value) == "ndarray"
        return Match(facts={"container": found[0].module.text(func.value)}) if is_array else None
    return _index(context, "ndarray", ("TracerArrayConversionError",))


def index_into_list(context: FailureContext) -> Match | None:
    """A list or tuple is indexed by a tracer."""
    return _index(context, "list tuple str", ("TracerIntegerConversionError",))


def _index(context: FailureContext, kinds: str, errors: tuple[str, ...]) -> Match | None:
    frame, node = context.frame, context.node
    if frame is None or context.error not in errors or not isinstance(node, ast.Subscript):
        return None
    kind = frame.kind(node.value) or _literal_kind(node.value)
    known = kind in kinds.split() if kind is not None else not isinstance(node.slice, ast.Slice)
    if isinstance(node.ctx, ast.Store):
        known = kind == "list"  # what else is assigned to so is another mistake
    if not known:
        return None
    return Match(facts={"container": frame.module.text(node.value)})


def _literal_kind(node: ast.AST) -> str | None:
    if isinstance(node, ast.List | ast.ListComp):
        return "list"
    return "tuple" if isinstance(node, ast.Tuple) else None


def dict_key(context: FailureContext) -> Match | None:
    """A tracer is used as the key of a dict or the member of a set."""
    if context.error != "TypeError" or "unhashable type" not in context.message:
        return None
    frame, node = context.frame, context.node
    if (
        frame is None
        or "Tracer" not in context.message
        or (isinstance(node, ast.Call) and (not _is_container_call(node)))
    ):
        return None
    return Match(facts={"container": _container(frame, node)})


def _is_container_call(node: ast.Call) -> bool:
    if isinstance(node.func, ast.Name):
        return node.func.id in ("set", "dict", "frozenset")
    return isinstance(node.func, ast.Attribute) and node.func.attr in (
        "get",
        "add",
        "setdefault",
        "pop",
        "index",
    )


def _container(frame: FrameContext, node: ast.AST | None) -> str:
    if isinstance(node, ast.Subscript):
        return frame.module.text(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return frame.module.text(node.func.value)
    if isinstance(node, ast.Compare):
        return frame.module.text(node.comparators[-1])
    return ""


MATCHERS = (
    ("numpy-buffer-write", buffer_write),
    ("float-on-tracer", float_of),
    ("int-on-tracer", int_of),
    ("item-on-tracer", item),
    ("tolist-on-tracer", tolist),
    ("python-math-on-tracer", python_math),
    ("format-of-tracer", format_of),
    ("scipy-call-on-tracer", scipy_call),
    ("traced-index-into-numpy", index_into_numpy),
    ("traced-index-into-list", index_into_list),
    ("traced-dict-key", dict_key),
    ("numpy-call-on-tracer", numpy_call),
)
