"""Matches the causes in what jit accepts: static arguments, and arguments it cannot trace."""

from __future__ import annotations

import ast
import re
from typing import TypeGuard

from msgspec.structs import replace

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import Match
from jaxtutor.core.diagnosis.engine.phrases import joined
from jaxtutor.core.diagnosis.engine.source import Location, Module, names_in
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    every,
    find,
    is_partial,
    name_of,
    place_of,
    resolve,
    static_names,
)
from jaxtutor.core.diagnosis.reading.calls import argument_for, calls_in
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters
from jaxtutor.core.diagnosis.reading.library_calls import is_module_of
from jaxtutor.core.diagnosis.reading.names import last_part

_NOT_AN_ARRAY = re.compile(
    r"(?:Error interpreting argument to|Cannot interpret value of type).*?"
    r"of type <class '(?P<type>[^']*)'>.*?(?:at path (?P<path>[^\s]*?)\.?\s*$|$)",
    re.S | re.M,
)
HASHED = re.compile(r"hash an object of type <class '([^']*)'>")
_WHOLE_NUMBER = re.compile(r"(?:ArrayImpl|ndarray)'>, (?:-?\d+|True|False)\. The error")
_TRUTH = re.compile(r", (?:True|False)\. The error")
_STATIC_NAMES = re.compile(
    r"invalid arg(?:names|nums)|static_argn\w+=.*only accepts|not enough positional"
)


class AtJit(Match, frozen=True, kw_only=True):
    """A cause in what a jit makes static; `argument` is the path of the argument at fault."""

    context: FailureContext
    jit: AppliedTransform | None
    argument: str = ""


def unreadable_argument(context: FailureContext) -> tuple[str, str] | None:
    """Return the type and the path of an argument that jit could not read as an array."""
    found = _NOT_AN_ARRAY.search(context.message)
    return (found["type"], found["path"] or "") if found is not None else None


def jit_of(context: FailureContext) -> AppliedTransform | None:
    """Find the jit whose call failed: by the name JAX gives, else by the callee at fault."""
    named = re.search(r"<function (?:[\w.<>]*\.)?([\w<>]+) at 0x", context.message)
    if named is None:
        return find(context, "jit") if context.frame is not None else _only_static_jit(context)
    found = [j for j in every(context, "jit") if (name_of(j.function) or "<lambda>") == named[1]]
    return found[0] if len(found) == 1 else find(context, "jit")


def _only_static_jit(context: FailureContext) -> AppliedTransform | None:
    """Find the one jit with static arguments, where another's code made the call that failed."""
    options = ("static_argnums", "static_argnames")
    static = [j for j in every(context, "jit") if any(j.option(o) is not None for o in options)]
    return static[0] if len(static) == 1 else None


def _jit_match(context: FailureContext, jit: AppliedTransform) -> AtJit:
    facts = {"function": name_of(jit.function)}
    return AtJit(place_of(jit), facts, context=context, jit=jit)


# ---------------------------------------------------------------- static arguments


def tracer_to_static(context: FailureContext) -> AtJit | None:
    """An outer jit traced what an inner one, or a custom derivative, wants static."""
    if _NONDIFF.search(context.message):
        return _nondiff(context)
    if context.frame is not None:
        return _bound_first(context) or AtJit(context=context, jit=jit_of(context))
    jit = _only_static_jit(context)
    return _jit_match(context, jit) if jit is not None else None


class BoundFirst(AtJit, frozen=True, kw_only=True):
    """A partial whose `bound` values are those of the last parameters, `names`."""

    module: Module
    bound: tuple[ast.expr, ...]
    names: tuple[str, ...]


def _bound_first(context: FailureContext) -> BoundFirst | None:
    """Match a partial that fills the first parameters, so that an array reaches a static one.

    `vmap(partial(f, alpha, steps))(rows)` calls `f(alpha, steps, row)`.
    """
    frame, call = context.frame, context.call
    if frame is None or call is None:
        return None
    module = frame.module
    function = resolve(module, call.func, call)
    jit = next((j for j in every(context, "jit") if function and j.function is function), None)
    partial = next((c for c in calls_in(call.func) if is_partial(module, c)), None)
    if jit is None or partial is None or partial.keywords or call.keywords:
        return None
    names, bound = parameter_names(function), partial.args[1:]
    reached = dict(zip(names[len(bound) :], call.args, strict=False))
    static = [name for name in reached if name in static_names(jit)]
    if not bound or len(static) != 1 or len(names) != len(bound) + len(call.args):
        return None
    meant = names[len(call.args) :]
    by_name = [f"{n}={module.text(a)}" for n, a in zip(meant, bound, strict=True)]
    values = ", ".join([module.text(partial.args[0]), *by_name])
    facts = {
        "function": module.text(partial.args[0]),
        "argument": module.text(reached[static[0]]),
        "name": static[0],
        "container": module.text(partial),
        "detail": f"{module.text(partial.func)}({values})",
    }
    return BoundFirst(
        None,
        facts,
        "bound",
        context=context,
        jit=jit,
        module=module,
        bound=tuple(bound),
        names=tuple(meant),
    )


_NONDIFF = re.compile(r"passed as an argument to a custom_[jv][vj]p function .* nondiff_argnums")


def _nondiff(context: FailureContext) -> AtJit | None:
    """Return the call that passes a tracer where `nondiff_argnums` says that there is none."""
    frame, call = context.frame, context.call
    if frame is None or call is None:
        return None
    positions = _nondiff_positions(frame.module, call)
    traced = [a for n, a in enumerate(call.args) if n in positions and frame.is_traced(a)]
    text = frame.module.text(traced[0]) if traced else ""
    facts = {"argument": text or "an argument", "function": frame.module.text(call.func)}
    return AtJit(None, facts, "nondiff", context=context, jit=None, argument=text)


def _nondiff_positions(module: Module, call: ast.Call) -> set[int]:
    """Return the positions that the decorator of a called function names in `nondiff_argnums`."""
    function = resolve(module, call.func, call)
    decorators = function.decorator_list if isinstance(function, ast.FunctionDef) else []
    keywords = (k for d in decorators for k in getattr(d, "keywords", ()))
    options = (k.value for k in keywords if k.arg == "nondiff_argnums")
    values = (n.value for o in options for n in ast.walk(o) if isinstance(n, ast.Constant))
    found = {value for value in values if isinstance(value, int)}
    return found or set(range(len(call.args)))


def wrong_static(context: FailureContext) -> AtJit | None:
    """static_argnums or static_argnames name an argument that does not exist, or the wrong one."""
    if _STATIC_NAMES.search(context.message):
        jit = _decorator_at_fault(context)
        return (
            _with_parameters(context, jit) if jit else AtJit(context=context, jit=jit_of(context))
        )
    jit = jit_of(context)
    hashed = HASHED.search(context.message)
    is_array = hashed is not None and ("ArrayImpl" in hashed[1] or "ndarray" in hashed[1])
    return _jit_match(context, jit) if is_array and jit and _wants_another(jit) else None


def _with_parameters(context: FailureContext, jit: AppliedTransform) -> AtJit:
    """Return a match that lists the parameters of the function, by position and name."""
    found = _jit_match(context, jit)
    if jit.function is None or not found.facts["function"]:
        return found
    given = jit.function.args
    by_position = enumerate((*given.posonlyargs, *given.args))
    named = [f"`{it.arg}` (position {number})" for number, it in by_position]
    named += [f"`{it.arg}` (by keyword)" for it in given.kwonlyargs]
    return replace(found, facts={**found.facts, "detail": joined(named)}, form="listed")


def _decorator_at_fault(context: FailureContext) -> AppliedTransform | None:
    line = context.frame.record.span.line if context.frame else 0
    jits = every(context, "jit")
    here = [j for j in jits if j.node.lineno <= line <= (j.node.end_lineno or line)]
    return here[0] if len(here) == 1 else None


def _wants_another(jit: AppliedTransform) -> bool:
    """Return whether another parameter is used as a Python value, and the static one is not."""
    static = static_names(jit)
    used = {a.arg for a in parameters(jit.function) if uses_as_python_value(jit, a.arg)}
    return bool(used - static) and not used & static


def uses_as_python_value(jit: AppliedTransform, name: str) -> bool:
    """Return whether a function uses a parameter where only a Python value will do."""
    assert jit.function is not None
    return any(name in _wanted_static(node) for node in ast.walk(jit.function))


def _wanted_static(node: ast.AST) -> set[str]:
    """List the names that a node uses as Python values: a size, a bound, a condition."""
    match node:
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            inner = test.operand if isinstance(test, ast.UnaryOp) else test
            left = inner.left if isinstance(inner, ast.Compare) else inner
            return {left.id} if isinstance(left, ast.Name) else set()
    return _size_names(node)


def is_used_as_size(function: ast.AST, name: str) -> bool:
    """Return whether a function uses a name as a size, a bound or an axis."""
    return any(name in _size_names(node) for node in ast.walk(function))


def _size_names(node: ast.AST) -> set[str]:
    match node:
        case ast.Call() if _callee(node) in _PYTHON_VALUES:
            return {n for a in node.args for n in names_in(a)}
        case ast.Call(func=ast.Attribute(value=whose)) if _callee(node) in _REDUCTIONS:
            # The axis comes first after the array, which is the receiver or the first argument.
            is_method = not (isinstance(whose, ast.Name) and whose.id in ("jnp", "np", "jax"))
            axis = node.args[:1] if is_method else node.args[1:2]
            axis += [k.value for k in node.keywords if k.arg == "axis"]
            return {n for a in axis for n in names_in(a)}
        case ast.Slice():
            return names_in(node)
    return set()


_REDUCTIONS = frozenset(
    "min max sum mean prod any all std var argmin argmax cumsum cumprod sort argsort".split()
)
_PYTHON_VALUES = frozenset({"range", "int", "zeros", "ones", "eye", "arange"})


def _callee(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def unhashable(context: FailureContext) -> AtJit | None:
    """A static argument cannot be hashed."""
    hashed = HASHED.search(context.message)
    kind = hashed[1] if hashed is not None else ""
    jit = jit_of(context)
    static = sorted(static_names(jit)) if jit is not None else []
    facts = {
        "name": last_part(kind),
        "function": name_of(jit.function) if jit is not None else "",
        "argument": static[0] if len(static) == 1 else "",
    }
    given = _number_in_array(context, jit, facts["argument"])
    if context.frame is not None and given is not None:
        kind = "bool" if _TRUTH.search(context.message) else "int"
        facts |= {"expression": context.frame.module.text(given), "class": kind}
        return AtJit(context.frame.place(given), facts, "number", context=context, jit=jit)
    if context.frame is not None:
        # No call can pass an array that is static: what has to change is the decorator.
        is_array = jit is not None and ("ArrayImpl" in kind or kind.endswith("ndarray"))
        place = place_of(jit) if jit is not None and is_array else None
        return AtJit(place, facts, context=context, jit=jit)
    place = _made_here(context, kind)
    return AtJit(place, facts, context=context, jit=jit) if place is not None else None


def _number_in_array(
    context: FailureContext, jit: AppliedTransform | None, name: str
) -> ast.expr | None:
    """Return what the call passes for a static argument, if it is an array of one whole number."""
    if not _WHOLE_NUMBER.search(context.message) or jit is None or jit.function is None:
        return None
    return argument_for(jit.function, context.call, name) if context.call is not None else None


def _made_here(context: FailureContext, kind: str) -> Location | None:
    """Return the learner's class that has no hash, or the jit that makes the argument static.

    That is where to look when the call is in other code.
    """
    made = class_of(context, kind)
    if made is None:
        jit = _only_static_jit(context)
        return place_of(jit) if jit is not None else None
    module, node = made
    if node.decorator_list:
        return module.location(node.decorator_list[-1])
    span = module.span(node)
    end = span.column + len(f"class {node.name}")
    return module.location(Span(span.line, span.column, span.line, end))


# ---------------------------------------------------------------- arguments that are not arrays


def self_not_static(context: FailureContext) -> AtJit | None:
    """A bare jit on a method takes self for an array."""
    found = unreadable_argument(context)
    jit = jit_of(context) if found is not None else None
    if found is None or jit is None or jit.function is None:
        return None
    names = parameter_names(jit.function)
    if not names or not isinstance(jit.module.parents.get(jit.function), ast.ClassDef):
        return None
    if re.split(r"[.\[]", found[1], maxsplit=1)[0] != names[0]:
        return None
    facts = {"function": name_of(jit.function), "argument": names[0], "name": found[0]}
    owner = jit.module.parents[jit.function]
    bases = [jit.module.dotted(base) for base in getattr(owner, "bases", [])]
    form = "equinox" if "equinox.Module" in bases else ""
    named = jit.node.func if isinstance(jit.node, ast.Call) else jit.node
    form = "nnx" if jit.module.dotted(named) == "flax.nnx.jit" else form
    return AtJit(place_of(jit), facts, form, context=context, jit=jit)


def field_not_static(context: FailureContext) -> AtJit | None:
    """A field of a registered class holds text, and is treated as an array."""
    setting, found = _traced_setting(context), unreadable_argument(context)
    path = setting or (found[1] if found is not None else "")
    field = _unmarked_field(context, path)
    if field is None or (setting and path.count(".") > 1):
        return None
    module, node, whole = field
    kind = module.text(node.annotation)
    if setting and kind not in ("int", "bool"):
        return None
    form = _declaration(module, node)
    if setting and not form:
        return None
    facts = {"name": last_part(whole), "argument": whole, "container": kind}
    return AtJit(module.location(node), facts, form, context=context, jit=jit_of(context))


_TUPLES_OF_FUNCTIONS = frozenset(
    """GradientTransformation GradientTransformationExtraArgs Transformed TransformedWithState
    MultiTransformed SamplingAlgorithm""".split()
)


def _unmarked_field(context: FailureContext, path: str) -> tuple[Module, ast.AnnAssign, str] | None:
    """Return the outermost field on a path that is of none of the learner's classes, and its path.

    A field that a path goes through is one only if its class is known to hold functions.
    """
    classes = {n.name for m in context.modules.values() for n in m.nodes if _is_class(n)}
    for step in re.finditer(r"\.([A-Za-z_]\w*)", path):
        name, whole = step[1], path[: step.end()]
        fields = [
            (module, node)
            for module in context.modules.values()
            for node in module.nodes
            if isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == name
        ]
        if len(fields) != 1 or not _is_class(fields[0][0].parents.get(fields[0][1])):
            return None
        module, node = fields[0]
        words = set(re.findall(r"\w+", module.text(node.annotation)))
        if not words & classes:
            is_field = whole == path or bool(words & _TUPLES_OF_FUNCTIONS)
            return (module, node, whole) if is_field else None
    return None


def _is_class(node: ast.AST | None) -> TypeGuard[ast.ClassDef]:
    return isinstance(node, ast.ClassDef)


def _traced_setting(context: FailureContext) -> str:
    """Return the path of a scalar in an argument, if its value is needed: `model.length`."""
    first = context.failure.origin[0] if context.failure.origin else None
    if first is None or not first.aval.endswith("[]") or context.frame is None:
        return ""
    is_needed = re.search(r"concrete value|boolean conversion|__index__", context.message)
    return first.expression if is_needed else ""


def _declaration(module: Module, field: ast.AnnAssign) -> str:
    """Name the library that decides what a field of this class is: equinox, struct, or none."""
    owner = module.parents.get(field)
    if not isinstance(owner, ast.ClassDef):
        return ""
    if "equinox.Module" in [module.dotted(base) for base in owner.bases]:
        return "equinox"
    decorators = [module.dotted(getattr(d, "func", d)) for d in owner.decorator_list]
    return "struct" if "flax.struct.dataclass" in decorators else ""


def not_static(context: FailureContext) -> AtJit | None:
    """A string, a function or a settings object is passed to jit and is not static."""
    found = unreadable_argument(context)
    if found is None or not context.passed_through("_infer_params", "_infer_input_type"):
        return None
    kind, path = found
    if _is_model_of_library(context, path):
        return None
    if class_of(context, kind) is not None and not _is_settings(context, kind):
        return None
    jit = jit_of(context)
    whole = re.split(r"[.\[]", path, maxsplit=1)[0]
    facts = {"argument": path, "name": last_part(kind), "container": whole}
    form = "optimizer" if _is_optimizer(context, whole) else _form(kind, path, whole)
    if jit is None:
        return AtJit(None, facts, form, context=context, jit=None, argument=path)
    facts["function"] = name_of(jit.function)
    # Of a dict or list, only the call can leave an entry away.
    place = None if form == "item" else place_of(jit)
    return AtJit(place, facts, form, context=context, jit=jit, argument=path)


def _is_optimizer(context: FailureContext, argument: str) -> bool:
    """Return whether an argument is an optimizer of Optax, a tuple of functions."""
    jit, frame, call = jit_of(context), context.frame, context.call
    if jit is None or jit.function is None or frame is None or call is None:
        return False
    fact = frame.fact(argument_for(jit.function, call, argument))
    return fact is not None and any(
        base.startswith("optax.") and "GradientTransformation" in base for base in fact.bases
    )


_UNHASHABLE = frozenset({"argparse.Namespace", "dict", "list", "set", "types.SimpleNamespace"})


def _form(kind: str, path: str, whole: str) -> str:
    """Return which sentences of the page apply: only a whole argument can be made static."""
    if kind in _UNHASHABLE:
        return "unhashable"
    if path == whole:
        return ""
    return "field" if path.startswith(whole + ".") else "item"


def _is_model_of_library(context: FailureContext, path: str) -> bool:
    """Return whether the call passes a module of Equinox, and the path leads into it."""
    frame, call = context.frame, context.call
    if frame is None or call is None or not re.search(r"[.\[]", path):
        return False
    return any(is_module_of("equinox", frame, a) for a in call.args)


def class_of(context: FailureContext, kind: str) -> tuple[Module, ast.ClassDef] | None:
    """Return the learner's class of a dotted name, if there is one of that name."""
    return context.class_named(last_part(kind))


def _is_settings(context: FailureContext, kind: str) -> bool:
    """Return whether a class holds settings and no arrays: an enum, or a class of plain fields."""
    found = class_of(context, kind)
    if found is None:
        return False
    module, node = found
    bases = {(module.dotted(b) or "") for b in node.bases}
    if any(b.startswith("enum.") for b in bases):
        return True
    fields = [n for n in node.body if isinstance(n, ast.AnnAssign)]
    return bool(fields) and all(_is_plain_annotation(module, f.annotation) for f in fields)


def _is_plain_annotation(module: Module, annotation: ast.expr) -> bool:
    text = module.text(annotation)
    return bool(re.fullmatch(r"(int|float|str|bool|tuple|Callable|Literal)\b.*|.*\| None", text))
