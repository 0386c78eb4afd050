"""Owns the causes in devices, debugging and callbacks."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.reading import argument
from jaxtutor.core.diagnosis.rules import Match
from jaxtutor.core.diagnosis.source import Location, Module, path_of
from jaxtutor.core.diagnosis.transforms import find, place_of

_MAPPED = ("vmap", "pmap", "shard_map")


def not_divisible(context: FailureContext) -> Match | None:
    """An axis cannot be split evenly over the devices."""
    words = (
        "does not evenly divide",
        "is not divisible by",
        "should be divisible by",
        "evenly divisible",
    )
    return (
        Match()
        if context.error == "ValueError" and any(w in context.message for w in words)
        else None
    )


def axis_type(context: FailureContext) -> Match | None:
    """A mesh with explicit axes meets an input whose sharding does not say so."""
    words = (
        "does not match the specs of the input",
        "does not match the sharding of the input",
        "axis_types",
        "Explicit",
    )
    if context.error not in ("ValueError", "TypeError", "ShardingTypeError"):
        return None
    about = (
        "sharding" in context.message or "in_specs" in context.message or "mesh" in context.message
    )
    return Match() if about and any(w in context.message for w in words) else None


def unbound_axis(context: FailureContext) -> Match | None:
    """A collective names an axis that nothing around it defines."""
    if context.error == "AssertionError" and not context.message:
        name = _undeclared(context)
        return Match(facts={"name": name}) if name else None
    found = re.search(r"unbound axis name: (\w+)", context.message)
    if context.error != "NameError" or found is None:
        return None
    return Match(_mapping(context), {"name": found[1]})


def _undeclared(context: FailureContext) -> str:
    """Give the axis that a collective names although no mesh in sight has it.

    Inside `shard_map` some collectives stop at an assertion of JAX's own, without a word.
    """
    frame, call = context.frame, context.node
    if frame is None or not isinstance(call, ast.Call):
        return ""
    given = argument(call, 1, "axis_name")
    is_collective = (frame.callee(call) or "").rpartition(".")[2] in _COLLECTIVES
    if not is_collective or not isinstance(given, ast.Constant) or not isinstance(given.value, str):
        return ""
    meshes = [n for m in context.modules.values() for n in ast.walk(m.tree) if _makes_mesh(n)]
    declared = [_texts(mesh) for mesh in meshes]
    # Names that are computed may be any, so nothing is said where a mesh has no literal one.
    is_known = bool(meshes) and all(declared)
    return given.value if is_known and given.value not in set().union(*declared) else ""


def _texts(node: ast.AST) -> set[str]:
    """Collect the literal texts below a node."""
    constants = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))
    return {value for value in constants if isinstance(value, str)}


_COLLECTIVES = frozenset({"psum", "pmean", "pmax", "pmin", "all_gather", "ppermute", "all_to_all"})


def _makes_mesh(node: ast.AST) -> bool:
    name = path_of(node.func) if isinstance(node, ast.Call) else None
    return (name or "").rpartition(".")[2] in ("make_mesh", "Mesh")


def _mapping(context: FailureContext) -> Location | None:
    """Find the vmap or pmap on the way to the collective, which could name the axis."""
    for frame in reversed(context.frames):
        item = find(context, *_MAPPED, at=frame.node) if frame.node is not None else None
        if item is not None and item.option("axis_name") is None:
            return place_of(item)
    return None


def not_functionalized(context: FailureContext) -> Match | None:
    """A checkify check is compiled without checkify around it."""
    if context.error != "ValueError" or "not functionalized" not in context.message:
        return None
    return Match(_last_link(context) or _only_call(context, "checkify.check"))


def _last_link(context: FailureContext) -> Location | None:
    """Give the learner's deepest expression of the linked exceptions."""
    for link in list(context.chain())[1:]:
        for frame in reversed(link.frames):
            module = context.modules.get(frame.file)
            if module is not None:
                return Location(module.file, frame.span, module.text(frame.span))
    return None


def _only_call(context: FailureContext, suffix: str) -> Location | None:
    found = [
        (m, n)
        for m in context.modules.values()
        for n in ast.walk(m.tree)
        if isinstance(n, ast.Call) and (m.dotted(n.func) or "").endswith(suffix)
    ]
    return _place(*found[0]) if len(found) == 1 else None


def _place(module: Module, node: ast.AST) -> Location:
    span = module.span(node)
    return Location(module.file, span, module.text(span))


def print_format(context: FailureContext) -> Match | None:
    """The format of jax.debug.print does not fit its arguments."""
    frame = context.frame
    path = frame.callee(frame.node) if frame is not None else None
    if path is None or not path.endswith("debug.print"):
        return None
    known = context.error in ("ValueError", "IndexError", "KeyError", "TypeError")
    return Match() if known and context.passed_through("debug_print") else None


def callback_result(context: FailureContext) -> Match | None:
    """A host function returns another shape or dtype than was declared."""
    is_callback = "allback" in context.message and context.error in (
        "JaxRuntimeError",
        "XlaRuntimeError",
    )
    words = (
        "expected shape",
        "Incorrect output",
        "but got shape",
        "shape mismatch",
        "dtype mismatch",
        "expected dtype",
        "incorrect shape",
        "incorrect dtype",
        "does not match",
        "Mismatched",
    )
    if not is_callback or not any(w in context.message for w in words):
        return None
    return Match(_only_call(context, "pure_callback") or _only_call(context, "io_callback"))


def use_after_donation(context: FailureContext) -> Match | None:
    """A buffer is read after it was donated."""
    words = ("has been deleted", "donated", "deleted or donated")
    known = context.error in ("RuntimeError", "ValueError", "JaxRuntimeError", "XlaRuntimeError")
    if not known or not any(w in context.message for w in words):
        return None
    return Match() if _donates(context) else None


def _donates(context: FailureContext) -> bool:
    return any(
        isinstance(n, ast.keyword) and n.arg in ("donate_argnums", "donate_argnames", "donate")
        for m in context.modules.values()
        for n in ast.walk(m.tree)
    )


MATCHERS = (
    ("sharding-not-divisible", not_divisible),
    ("mesh-axis-type-mismatch", axis_type),
    ("unbound-axis-name", unbound_axis),
    ("checkify-not-functionalized", not_functionalized),
    ("debug-print-format", print_format),
    ("callback-result-mismatch", callback_result),
    ("use-after-donation", use_after_donation),
)
