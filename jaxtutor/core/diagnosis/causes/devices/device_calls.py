"""Matches the causes in devices, debugging and callbacks."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.causes.devices.donated import passed_after_donation
from jaxtutor.core.diagnosis.engine.call_values import makes
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import (
    AtCall,
    AtFrame,
    InContext,
    at_call,
    at_frame,
    at_node,
)
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Location, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import applied, every, find, name_of, place_of
from jaxtutor.core.diagnosis.reading.calls import (
    argument,
    argument_for,
    calls_in,
    passed_arguments,
)
from jaxtutor.core.diagnosis.reading.names import all_names, last_part
from jaxtutor.core.diagnosis.reading.values import option_strings, strings_in


class UnboundAxis(AtFrame, frozen=True, kw_only=True):
    """A collective over an axis that nothing around it defines; `name` is what JAX calls it."""

    name: str


class DevicesApart(InContext, frozen=True, kw_only=True):
    """Arrays on different devices; `moved` lies on fewer of them, where the operands are known."""

    module: Module | None = None
    moved: ast.expr | None = None
    kept: ast.expr | None = None


def unbound_axis(context: FailureContext) -> UnboundAxis | None:
    """A collective names an axis that nothing around it defines."""
    frame, said = context.frame, re.search(r"unbound axis name: (\w+)", context.message)
    if frame is None or (said is None and context.message):
        return None
    name = said[1] if said is not None else _undeclared(context)
    if not name:
        return None
    other = _axis_of_mesh(context, name)
    if other is not None:
        return other
    place = _mapping(context) if said is not None else None
    known = name if said is not None else ""
    return UnboundAxis(place, {"name": name}, context=context, name=known)


class OtherAxis(UnboundAxis, frozen=True, kw_only=True):
    """A collective whose axis `given` the mesh does not have; `axes` are those that it has."""

    given: ast.Constant
    axes: tuple[str, ...]


def _axis_of_mesh(context: FailureContext, name: str) -> OtherAxis | None:
    """Match a name that no mesh has, in a program in which only meshes have axes with names."""
    frame, call = context.frame, context.call
    meshes = [n for m in context.modules.values() for n in m.nodes if _makes_mesh(n)]
    declared = [found for mesh in meshes if (found := _axes(mesh))]
    given = argument(call, 1, "axis_name") if call is not None else None
    if frame is None or not declared or len(declared) < len(meshes) or every(context, "vmap"):
        return None
    axes = tuple(dict.fromkeys(axis for names in declared for axis in names))
    if not isinstance(given, ast.Constant) or given.value != name or name in axes:
        return None
    facts = {"name": name, "detail": ", ".join(f"`{axis}`" for axis in axes)}
    return OtherAxis(None, facts, "mesh", context=context, name="", given=given, axes=axes)


def _axes(mesh: ast.AST) -> list[str]:
    """List the names of the axes of a mesh that a call writes out."""
    if not isinstance(mesh, ast.Call):
        return []
    return option_strings(argument(mesh, 1, "axis_names"))


def _undeclared(context: FailureContext) -> str:
    """Return the axis that a collective names although no mesh in sight has it.

    Inside `shard_map` some collectives stop at an assertion of JAX's own, without a word.
    """
    frame, call = context.frame, context.call
    if frame is None or call is None:
        return ""
    given = argument(call, 1, "axis_name")
    is_collective = last_part(frame.callee(call)) in _COLLECTIVES
    if not is_collective or not isinstance(given, ast.Constant) or not isinstance(given.value, str):
        return ""
    meshes = [n for m in context.modules.values() for n in m.nodes if _makes_mesh(n)]
    declared = [strings_in(mesh) for mesh in meshes]
    # Computed names are unknown, so a mesh without literal names is not judged.
    is_known = bool(meshes) and all(declared)
    return given.value if is_known and given.value not in set().union(*declared) else ""


_COLLECTIVES = frozenset({"psum", "pmean", "pmax", "pmin", "all_gather", "ppermute", "all_to_all"})


def _makes_mesh(node: ast.AST) -> bool:
    name = path_of(node.func) if isinstance(node, ast.Call) else None
    return last_part(name) in ("make_mesh", "Mesh")


def _mapping(context: FailureContext) -> Location | None:
    """Find the vmap or pmap on the way to the collective, which could name the axis."""
    for frame in reversed(context.frames):
        item = (
            find(context, "vmap", "pmap", "shard_map", at=frame.node)
            if frame.node is not None
            else None
        )
        if item is not None and item.option("axis_name") is None:
            return place_of(item)
    return None


_LENGTHS = re.compile(
    r"\(of size (\d+)\) to mesh ax\S+ .*?\(of (?:total )?size (\d+)\)"
    r"|divisible by (?P<parts>\d+), but it is equal to (?P<length>\d+)"
    r"|partitioned (?P<times>\d+) times, but (?:the dimension size is"
    r"|does not evenly divide the dimension size) (?P<whole>\d+)"
)


def not_divisible(context: FailureContext) -> AtFrame | None:
    """An axis is split over devices that do not divide its length."""
    found, said = at_frame(context), _LENGTHS.search(context.message)
    if found is None or said is None:
        return found
    length, parts = (
        int(said[1] or said["length"] or said["whole"]),
        int(said[2] or said["parts"] or said["times"]),
    )
    if not parts or length % parts == 0:
        return found
    below, above = length - length % parts, length - length % parts + parts
    fitting = f"{below} or {above}" if below else str(above)
    facts = {"detail": str(length), "argument": str(parts), "condition": fitting}
    return replace(found, facts=facts, form="lengths")


def not_functionalized(context: FailureContext) -> AtFrame | None:
    """A checkify check is compiled without checkify around it."""
    found = _only_call(context, "checkify.check")
    if found is None:
        return at_frame(context)
    module, span = found
    node = module.node_at(span)
    name = name_of(module.function(node)) if node is not None else ""
    return at_frame(context, {"function": name} if name else {}, place=module.location(span))


def _only_call(context: FailureContext, suffix: str) -> tuple[Module, Span] | None:
    found = [
        (module, module.span(node))
        for module in context.modules.values()
        for node in module.calls
        if (module.dotted(node.func) or "").endswith(suffix)
    ]
    return found[0] if len(found) == 1 else None


def print_format(context: FailureContext) -> AtCall | None:
    """The format of jax.debug.print does not fit its arguments."""
    call = at_call(context)
    is_print = call is not None and call.path.endswith("debug.print")
    return call if is_print and context.passed_through("debug_print") else None


def callback_result(context: FailureContext) -> InContext:
    """A host function returns another shape or dtype than was declared."""
    found = _only_call(context, "pure_callback") or _only_call(context, "io_callback")
    return InContext(found[0].location(found[1]) if found else None, context=context)


def use_after_donation(context: FailureContext) -> AtFrame | None:
    """A buffer is read after it was donated or deleted, or is donated twice by one call."""
    if "same buffer twice" in context.message:
        return _donated_twice(context, "twice")
    if "previously donated in the same call" in context.message:
        return _donated_twice(context, "shared")
    nodes = [n for m in context.modules.values() for n in m.nodes]
    names = ("donate_argnums", "donate_argnames", "donate")
    found = at_frame(context, facts={"name": name} if (name := _read_again(context)) else None)
    if (
        found is not None
        and not found.facts
        and (outer := passed_after_donation(context)) is not None
    ):
        return outer
    if found is None or any(isinstance(n, ast.keyword) and n.arg in names for n in nodes):
        return found
    deletes = any(isinstance(n, ast.Attribute) and n.attr == "delete" for n in nodes)
    return replace(found, form="deleted" if deletes else "elsewhere")


class SameBuffer(AtFrame, frozen=True, kw_only=True):
    """Two names for one array in a call that donates both; `made` gave it the second name."""

    made: ast.Assign


class SharedPart(AtCall, frozen=True, kw_only=True):
    """Two arguments of a call that share an array; `second` is the later one, where it is known."""

    second: ast.expr | None = None


def _donated_twice(context: FailureContext, form: str) -> AtFrame | None:
    """Return the assignment that gave an argument of the call another argument's name."""
    frame, call = context.frame, context.call
    if frame is None or call is None:
        return None
    names = {path for a in call.args if (path := path_of(a)) is not None}
    aliases = [
        node
        for node in frame.module.nodes
        if isinstance(node, ast.Assign)
        and path_of(node.value) in names
        and path_of(node.targets[0]) in names
    ]
    if len(aliases) != 1:
        return _shared_part(context, form)
    made, module = aliases[0], frame.module
    facts = {"name": module.text(made.value), "argument": module.text(made.targets[0])}
    place = module.location(made)
    return SameBuffer(place, facts, form, context=context, made=made)


def _shared_part(context: FailureContext, form: str) -> SharedPart | None:
    """Return the call whose arguments share an array, with the paths to it where they are known."""
    found, part = at_call(context), context.failure.part
    if found is None:
        return None
    module = found.module
    given = [a for a in passed_arguments(found.node) if not isinstance(a, ast.Starred)]
    texts = [module.text(a) for a in given]
    twice = next((n for n, text in enumerate(texts) if text in texts[:n]), None)
    facts, second = {}, None
    if part is not None and part.other:
        facts = {"argument": part.path, "name": part.other}
        second = next((a for a, t in zip(given, texts, strict=True) if _holds(t, part.path)), None)
    elif twice is not None:
        facts, second = {"argument": texts[twice], "name": texts[twice]}, given[twice]
    forms = {"twice": "one_call", "shared": "one_call_reads"}
    name = forms[form] if facts else f"{forms[form]}_unknown"
    return SharedPart(None, facts, name, context=context, node=found.node, second=second)


def _holds(owner: str, path: str) -> bool:
    """Return whether a path begins with an argument."""
    return path == owner or path.startswith((f"{owner}.", f"{owner}["))


def _read_again(context: FailureContext) -> str:
    """Return the only name of the failing expression that a call above was given; else empty."""
    frame = context.frame
    if frame is None or frame.node is None or frame.statement is None:
        return ""
    read = all_names(frame.node)
    scope = frame.function or frame.module.tree
    given = {
        a.id
        for call in calls_in(scope)
        if call.lineno < frame.statement.lineno
        for a in call.args
        if isinstance(a, ast.Name)
    }
    return names.pop() if len(names := read & given) == 1 else ""


def incompatible_devices(context: FailureContext) -> DevicesApart | None:
    """Arrays on different devices meet in one operation."""
    inside = _PLACED.search(context.message)
    if inside is not None:
        facts = {"argument": inside[1], "detail": inside[2], "container": inside[3]}
        return DevicesApart(context.named_place(), facts, "inside", context=context)
    found = at_node(context)
    said = [(name, ids.count(",") + 1, ids) for name, ids in _ARGUMENT.findall(context.message)]
    if found is None or len(said) < 2:
        return None
    module = found.module
    operands = [
        _named_operand(module, found.node, name, n) for n, (name, _, _) in enumerate(said[:2])
    ]
    few, many = (0, 1) if said[0][1] < said[1][1] else (1, 0)
    moved, kept = operands[few], operands[many]
    facts = {
        "argument": module.text(moved) if moved is not None else said[few][0],
        "name": module.text(kept) if kept is not None else said[many][0],
        "detail": said[few][2],
        "container": said[many][2],
    }
    return DevicesApart(None, facts, context=context, module=module, moved=moved, kept=kept)


_PLACED = re.compile(
    r"argument (\S+) of .*?device ids \[([\d, ]*)\].*?\w+ inside jit with device ids "
    r"\[([\d, ]*)\]",
    re.S,
)
"""What JAX says where a compiled function moves something to other devices than its argument's."""
_ARGUMENT = re.compile(r"argument (\S+) of .*?device ids \[([\d, ]*)\]", re.S)
"""What JAX says of each array that lies on other devices: its name and the devices."""


def _named_operand(module: Module, node: ast.AST, name: str, place: int) -> ast.expr | None:
    """Return the expression that JAX calls `args[0]`, or `x` for a parameter or an operand."""
    if isinstance(node, ast.BinOp):
        return (node.left, node.right)[place]
    if not isinstance(node, ast.Call):
        return None
    position = re.fullmatch(r"args\[(\d+)\]", name)
    if position is not None:
        return argument(node, int(position[1]))
    function = _jitted(module, node.func)
    return argument_for(function, node, name) if function is not None else None


def _jitted(module: Module, func: ast.expr) -> FunctionNode | None:
    """Return the learner's function that a callee is once jitted, with all its parameters.

    A partial takes some of them, so that the positions of the call are others.
    """
    for jit in applied(module):
        if jit.kind == "jit" and jit.is_decorator:
            is_called = getattr(jit.function, "name", "") == path_of(func)
        else:
            whole = jit.call is not None and isinstance(
                argument(jit.call, 0), ast.Name | ast.Lambda
            )
            is_called = whole and makes(jit, func)
        if is_called:
            return jit.function
    return None
