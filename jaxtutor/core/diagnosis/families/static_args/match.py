"""Owns the causes that lie in what jit accepts: static arguments, and arguments it cannot trace."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.data.model import Span
from jaxtutor.core.diagnosis.context import FailureContext, Location, Match, parameters
from jaxtutor.core.diagnosis.source import Module, names_in
from jaxtutor.core.diagnosis.transforms import (
    AppliedTransform,
    applied,
    find,
    name_of,
    place_of,
    static_names,
)

_NOT_HASHABLE = "Non-hashable static arguments"
_NOT_AN_ARRAY = re.compile(
    r"(?:Error interpreting argument to|Cannot interpret value of type).*?"
    r"of type <class '(?P<type>[^']*)'>.*?(?:at path (?P<path>[^\s]*?)\.?\s*$|$)",
    re.S | re.M,
)
_HASHED = re.compile(r"hash an object of type <class '([^']*)'>")
_STATIC_NAMES = re.compile(
    r"invalid arg(?:names|nums)|static_argn\w+=.*only accepts|not enough positional"
)


def not_an_array(context: FailureContext) -> tuple[str, str] | None:
    """Give type and path of an argument that jit could not read as an array."""
    if context.error != "TypeError":
        return None
    found = _NOT_AN_ARRAY.search(context.message)
    return (found["type"], found["path"] or "") if found is not None else None


def jit_of(context: FailureContext) -> AppliedTransform | None:
    """Find the jit whose call failed: by the name JAX gives, else by the callee at fault."""
    named = re.search(r"<function (?:[\w.<>]*\.)?([\w<>]+) at 0x", context.message)
    if named is None:
        return find(context, "jit") if context.frame is not None else _only_static_jit(context)
    jits = [a for m in context.modules.values() for a in applied(m) if a.kind == "jit"]
    found = [j for j in jits if (name_of(j.function) or "<lambda>") == named[1]]
    return found[0] if len(found) == 1 else find(context, "jit")


def _only_static_jit(context: FailureContext) -> AppliedTransform | None:
    """Find the one jit with static arguments, where another's code made the call that failed."""
    jits = [a for m in context.modules.values() for a in applied(m) if a.kind == "jit"]
    static = [jit for jit in jits if static_names(jit)]
    return static[0] if len(static) == 1 else None


# ---------------------------------------------------------------- matchers


def tracer_to_static(context: FailureContext) -> Match | None:
    """An outer jit traced what an inner one wants static."""
    if context.error != "ValueError" or _NOT_HASHABLE not in context.message:
        return None
    hashed = _HASHED.search(context.message)
    if hashed is None or "Tracer" not in hashed[1]:
        return None
    if context.frame is not None:
        return Match()
    jit = _only_static_jit(context)
    return Match(place_of(jit), {"function": name_of(jit.function)}) if jit is not None else None


def wrong_static(context: FailureContext) -> Match | None:
    """static_argnums or static_argnames name an argument that is not there, or another one."""
    if context.error != "ValueError":
        return None
    if _STATIC_NAMES.search(context.message):
        return _at_decorator(context)
    if _NOT_HASHABLE not in context.message or not _is_array(context):
        return None
    jit = jit_of(context)
    if jit is None or not _wants_another(jit):
        return None
    return Match(place_of(jit), {"function": name_of(jit.function)})


def _at_decorator(context: FailureContext) -> Match | None:
    jits = [a for m in context.modules.values() for a in applied(m) if a.kind == "jit"]
    line = context.frame.record.span.line if context.frame else 0
    here = [j for j in jits if j.node.lineno <= line <= (j.node.end_lineno or line)]
    jit = here[0] if len(here) == 1 else None
    return Match(place_of(jit), {"function": name_of(jit.function)}) if jit is not None else Match()


def _is_array(context: FailureContext) -> bool:
    hashed = _HASHED.search(context.message)
    return hashed is not None and ("ArrayImpl" in hashed[1] or "ndarray" in hashed[1])


def _wants_another(jit: AppliedTransform) -> bool:
    """Tell whether a parameter that is not static is used as a Python value, and the static not."""
    static = static_names(jit)
    used = {p for p in _names(jit) if uses_as_python_value(jit, p)}
    return bool(used - static) and not used & static


def _names(jit: AppliedTransform) -> list[str]:
    return [a.arg for a in parameters(jit.function)]


def uses_as_python_value(jit: AppliedTransform, name: str) -> bool:
    """Tell whether a function uses a parameter where only a Python value will do."""
    assert jit.function is not None
    return any(name in _wanted_static(node) for node in ast.walk(jit.function))


def _wanted_static(node: ast.AST) -> set[str]:
    """List the names that a node uses as Python values: a size, a bound, a condition."""
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
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            inner = test.operand if isinstance(test, ast.UnaryOp) else test
            left = inner.left if isinstance(inner, ast.Compare) else inner
            return {left.id} if isinstance(left, ast.Name) else set()
    return set()


_REDUCTIONS = frozenset(
    "min max sum mean prod any all std var argmin argmax cumsum cumprod sort argsort".split()
)
_PYTHON_VALUES = frozenset({"range", "int", "zeros", "ones", "eye", "arange"})


def _callee(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def unhashable(context: FailureContext) -> Match | None:
    """A static argument cannot be hashed."""
    if context.error != "ValueError" or _NOT_HASHABLE not in context.message:
        return None
    hashed = _HASHED.search(context.message)
    jit = jit_of(context)
    static = sorted(static_names(jit)) if jit is not None else []
    facts = {
        "name": hashed[1].rpartition(".")[2] if hashed else "",
        "function": name_of(jit.function) if jit is not None else "",
        "argument": static[0] if len(static) == 1 else "",
    }
    if context.frame is not None:
        return Match(facts=facts)
    return _unhashable_made_here(context, hashed[1] if hashed else "", facts)


def _unhashable_made_here(
    context: FailureContext, kind: str, facts: dict[str, str]
) -> Match | None:
    """Point at the learner's class that has no hash, or at the jit that makes the argument static.

    So it is where somebody else's code makes the call.
    """
    made = _class(context, kind)
    if made is not None:
        module, node = made
        span = module.span(node)
        head = Span(span.line, span.column, span.line, span.column + len(f"class {node.name}"))
        if node.decorator_list:
            head = module.span(node.decorator_list[-1])
        return Match(Location(module.file, head, module.text(head)), facts)
    jit = _only_static_jit(context)
    return Match(place_of(jit), facts) if jit is not None else None


def self_not_static(context: FailureContext) -> Match | None:
    """A bare jit on a method takes self for an array."""
    found = not_an_array(context)
    jit = jit_of(context) if found is not None else None
    if found is None or jit is None or jit.function is None:
        return None
    names = [a.arg for a in parameters(jit.function)]
    in_class = isinstance(jit.module.parents.get(jit.function), ast.ClassDef)
    first = names[0] if names else ""
    if not in_class or not names or found[1].split(".")[0].split("[")[0] != first:
        return None
    return Match(
        place_of(jit), {"function": name_of(jit.function), "argument": first, "name": found[0]}
    )


def not_static(context: FailureContext) -> Match | None:
    """A string, a function or a settings object is passed to jit and is not static."""
    found = not_an_array(context)
    if found is None or not context.passed_through("_infer_params", "_infer_input_type"):
        return None
    kind, path = found
    if _is_own_class(context, kind) and not _is_settings(context, kind):
        return None
    jit = jit_of(context)
    facts = {"argument": path, "name": kind.rpartition(".")[2]}
    if jit is not None:
        facts["function"] = name_of(jit.function)
    return Match(place_of(jit) if jit is not None else None, facts)


def _class(context: FailureContext, kind: str) -> tuple[Module, ast.ClassDef] | None:
    name = kind.rpartition(".")[2]
    found = [
        (m, n)
        for m in context.modules.values()
        for n in ast.walk(m.tree)
        if isinstance(n, ast.ClassDef) and n.name == name
    ]
    return found[0] if len(found) == 1 else None


def _is_own_class(context: FailureContext, kind: str) -> bool:
    return _class(context, kind) is not None


def _is_settings(context: FailureContext, kind: str) -> bool:
    """Tell whether a class holds settings and no arrays: an enum, or a class of plain fields."""
    found = _class(context, kind)
    if found is None:
        return False
    module, node = found
    bases = {(module.dotted(b) or "") for b in node.bases}
    if any(b.startswith("enum.") for b in bases):
        return True
    fields = [n for n in node.body if isinstance(n, ast.AnnAssign)]
    return bool(fields) and all(_is_plain(module, f.annotation) for f in fields)


def _is_plain(module: Module, annotation: ast.expr) -> bool:
    text = module.text(annotation)
    return bool(re.fullmatch(r"(int|float|str|bool|tuple|Callable|Literal)\b.*|.*\| None", text))


MATCHERS = (
    ("tracer-to-static-arg", tracer_to_static),
    ("wrong-static-argnums", wrong_static),
    ("unhashable-static", unhashable),
    ("self-not-static", self_not_static),
    ("nonarray-arg-not-static", not_static),
)
