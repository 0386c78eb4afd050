"""Matches the causes in which a Python or NumPy value is needed of a tracer."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import (
    AtCall,
    AtFrame,
    AtNode,
    at_call,
    at_frame,
    at_node,
)
from jaxtutor.core.diagnosis.engine.source import is_store
from jaxtutor.core.diagnosis.engine.transforms import find
from jaxtutor.core.diagnosis.reading.calls import method_of

# ---------------------------------------------------------------- conversions


def _builtin(context: FailureContext, *names: str) -> AtCall | None:
    """Return the call at fault if it calls one of some builtins."""
    call = at_call(context, {"argument": context.argument} if context.argument else {})
    if call is None:
        return None
    func, fact = call.node.func, call.frame.fact(call.node.func)
    is_plain = isinstance(func, ast.Name) and func.id in names and not call.path
    is_builtin = fact is not None and fact.detail.removeprefix("builtins.") in names
    return call if is_builtin or is_plain else None


def _method(context: FailureContext, *names: str) -> AtCall | None:
    call = at_call(context)
    is_method = call is not None and getattr(call.node.func, "attr", None) in names
    return call if is_method else None


def float_of(context: FailureContext) -> AtCall | None:
    """float() or complex() of a tracer."""
    return _builtin(context, "float", "complex")


def int_of(context: FailureContext) -> AtCall | None:
    """int() of a tracer."""
    return _builtin(context, "int")


def item(context: FailureContext) -> AtCall | None:
    """The method item of a tracer."""
    return _method(context, "item")


def tolist(context: FailureContext) -> AtCall | None:
    """The methods tolist and tobytes of a tracer."""
    return _method(context, "tolist", "tobytes")


def format_of(context: FailureContext) -> AtFrame | None:
    """A tracer is written into a string with a format."""
    node = context.node
    if "Tracer" in context.message:
        said = ("unsupported format string passed to", " format: a ")
        return at_frame(context) if any(words in context.message for words in said) else None
    left = node.left if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) else None
    is_text = isinstance(left, ast.JoinedStr | ast.Constant | ast.Name)
    return at_frame(context) if is_text else None


# ---------------------------------------------------------------- other libraries


def python_math(context: FailureContext) -> AtCall | None:
    """A function of the math, cmath or statistics module, given a tracer."""
    call = at_call(context)
    if call is None or not call.path.startswith(("math.", "cmath.", "statistics.")):
        return None
    is_traced = call.frame.is_traced(call.node) and _NOT_SCALAR in context.message
    is_other = context.error == "TypeError" and "Tracer" not in context.message
    return None if is_other and not is_traced else replace(call, facts={"name": call.path})


_NOT_SCALAR = "Only scalar arrays can be converted to Python scalars"
"""What an array with axes says, traced or not, before its value is needed."""


def scipy_call(context: FailureContext) -> AtFrame | None:
    """A function of SciPy, given a tracer."""
    call, frames = at_call(context), context.failure.jax_frames
    if call is not None and not call.path and frames and frames[0].startswith("scipy."):
        return replace(call, facts={"name": frames[0]})
    return _library(context, "scipy.")


def numpy_call(context: FailureContext) -> AtFrame | None:
    """A function of NumPy, given a tracer."""
    return _library(context, "numpy.")


def _library(context: FailureContext, prefix: str) -> AtFrame | None:
    call = at_call(context)
    path = call.path if call is not None else ""
    if not path.startswith(prefix):
        path = _handed_over(context)
    return at_frame(context, {"name": path}) if path.startswith(prefix) else None


def _handed_over(context: FailureContext) -> str:
    """Return the library's function that a transformation was given, and called."""
    kinds = ("vmap", "jit", "grad", "value_and_grad", "scan", "map", "cond", "switch")
    item, frame = find(context, *kinds), context.frame
    if item is None or item.call is None or frame is None:
        return ""
    paths = [frame.dotted(given) or "" for given in item.call.args]
    return next((path for path in paths if path in context.failure.jax_frames), "")


# ---------------------------------------------------------------- containers


def buffer_write(context: FailureContext) -> AtNode | None:
    """A traced value is stored into a numpy array."""
    found = at_node(context)
    is_refused = "setting an array element with a sequence" in context.message
    if found is None or (context.error == "ValueError" and not is_refused):
        return None
    node = found.node
    target = node.target if isinstance(node, ast.AugAssign) else node
    base = target.value if isinstance(target, ast.Subscript) else target
    is_array = found.frame.kind(base) == "ndarray" or "setting an array element" in context.message
    if (not isinstance(node, ast.AugAssign) and not is_store(node)) or not is_array:
        return None
    container = found.module.text(base)
    return replace(found, facts={"container": container, "name": container})


def index_into_numpy(context: FailureContext) -> AtNode | None:
    """A numpy array is indexed by a tracer."""
    found = at_node(context)
    func = found.node.func if found is not None and isinstance(found.node, ast.Call) else None
    if found is not None and isinstance(func, ast.Attribute) and func.attr == "take":
        is_array = found.frame.kind(func.value) == "ndarray"
        facts = {"container": found.module.text(func.value)}
        return replace(found, facts=facts) if is_array else None
    return _index(context, "ndarray")


def index_into_list(context: FailureContext) -> AtNode | None:
    """A list or tuple is indexed by a tracer."""
    return _index(context, "list tuple str")


def _index(context: FailureContext, kinds: str) -> AtNode | None:
    found = at_node(context)
    node = found.node if found is not None else None
    if found is None or not isinstance(node, ast.Subscript):
        return None
    kind = found.frame.kind(node.value) or _literal_kind(node.value)
    known = kind in kinds.split() if kind is not None else not isinstance(node.slice, ast.Slice)
    if isinstance(node.ctx, ast.Store):
        known = kind == "list"  # an assignment to anything else is another mistake
    return replace(found, facts={"container": found.module.text(node.value)}) if known else None


def _literal_kind(node: ast.AST) -> str | None:
    if isinstance(node, ast.List | ast.ListComp):
        return "list"
    return "tuple" if isinstance(node, ast.Tuple) else None


def dict_key(context: FailureContext) -> AtFrame | None:
    """A tracer is used as the key of a dict or the member of a set."""
    frame, node = context.frame, context.node
    if frame is None or (isinstance(node, ast.Call) and not _is_container_call(node)):
        return None
    return at_frame(context)


_METHODS = ("get", "add", "setdefault", "pop", "index")


def _is_container_call(node: ast.Call) -> bool:
    if isinstance(node.func, ast.Name):
        return node.func.id in ("set", "dict", "frozenset")
    return method_of(node) in _METHODS
