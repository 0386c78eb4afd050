"""Matches the causes in sharding: specs, meshes and collectives."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, AtNode, at_call, at_node
from jaxtutor.core.diagnosis.engine.phrases import counted
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    every,
    find_in_frames,
    name_of,
    result_place,
)
from jaxtutor.core.diagnosis.reading.calls import argument


class AtShardMap(AtFrame, frozen=True, kw_only=True):
    """A cause in a shard_map, or a jit with shardings; `missing` counts the specs that lack."""

    mapped: AppliedTransform
    missing: int = 0


class LongSpec(AtNode, frozen=True, kw_only=True):
    """A spec with more entries than its array has axes: `spec`, in the file `written_in`."""

    written_in: Module
    spec: ast.expr | None


class Mesh(AtNode, frozen=True, kw_only=True):
    """A sharding that needs a mesh: `mesh` is the name of the only one of the file, if known."""

    mesh: str


def _shard_map(context: FailureContext) -> AtShardMap | None:
    """Return a match at the shard_map that a frame calls, else at the only one of the program."""
    if context.frame is None:
        return None
    found = find_in_frames(context, "shard_map")
    known = every(context, "shard_map")
    mapped = found or (known[0] if len(known) == 1 else None)
    if mapped is None:
        return None
    return AtShardMap(context=context, mapped=mapped)


def not_replicated(context: FailureContext) -> AtShardMap | None:
    """The out_specs claim that all devices have the same result, and they may differ."""
    found = _shard_map(context)
    if found is None:
        return None
    said = re.search(r"mesh ax[ie]s (.+?), but could not", context.message)
    axis = re.findall(r"'(\w+)'", said[1]) if said is not None else []
    facts = {"name": axis[0] if axis else "", "function": name_of(found.mapped.function)}
    function = found.mapped.function
    place = result_place(found.mapped.module, function) if function is not None else None
    return replace(found, place=place, facts=facts)


def rank_mismatch(context: FailureContext) -> LongSpec | None:
    """A PartitionSpec has more entries than the array has axes."""
    found = at_node(context)
    if found is None:
        return None
    module, spec = _long_spec(context) or (found.module, None)
    return LongSpec(
        module.location(spec) if spec is not None else None,
        {"name": module.text(spec)} if spec is not None else {},
        context=context,
        node=found.node,
        written_in=module,
        spec=spec,
    )


def _long_spec(context: FailureContext) -> tuple[Module, ast.expr] | None:
    """Find the spec of a shard_map that JAX names by its position."""
    said = re.search(r"(in|out)_specs(?:\[(\d+)\])?\S* is (.*?) which has length", context.message)
    found = _shard_map(context) if said is not None else None
    specs = found.mapped.option(f"{said[1]}_specs") if said is not None and found else None
    if found is None or said is None or specs is None:
        return None
    if isinstance(specs, ast.Tuple) and said[2] and int(said[2]) < len(specs.elts):
        specs = specs.elts[int(said[2])]
    return found.mapped.module, specs


def specs_count(context: FailureContext) -> AtShardMap | None:
    """There are more or fewer specs than arguments or results."""
    jitted = _jit_shardings(context)
    if jitted is not None:
        return jitted
    found = _shard_map(context)
    said = re.search(r"shard_map (in|out)_specs", context.message)
    if found is None or said is None:
        return None
    specs = found.mapped.option(f"{said[1]}_specs")
    place = found.mapped.module.location(specs) if specs is not None else None
    facts = {"name": f"{said[1]}_specs", "function": name_of(found.mapped.function)}
    return replace(found, place=place, facts=facts)


_LENGTHS = re.compile(
    r"pjit (in|out)_shardings is the wrong length: got a tuple or list of length (\d+) for an "
    r"\w+ tuple of length (\d+)"
)


def _jit_shardings(context: FailureContext) -> AtShardMap | None:
    """Find the jit whose shardings are more or fewer than its arguments."""
    said = _LENGTHS.search(context.message)
    if said is None or context.frame is None:
        return None
    option = f"{said[1]}_shardings"
    known = [a for a in every(context, "jit") if a.option(option) is not None]
    jit = find_in_frames(context, "jit") or (known[0] if len(known) == 1 else None)
    shardings = jit.option(option) if jit is not None else None
    if jit is None or shardings is None:
        return None
    return AtShardMap(
        jit.module.location(shardings),
        {"name": option, "function": name_of(jit.function)},
        context=context,
        mapped=jit,
        missing=int(said[3]) - int(said[2]) if said[1] == "in" else 0,
    )


def constraint(context: FailureContext) -> AtCall | None:
    """A sharding constraint names an axis of a mesh whose axes are explicit."""
    call = at_call(context)
    is_constraint = call is not None and call.path.endswith("with_sharding_constraint")
    return call if is_constraint else None


def no_mesh(context: FailureContext) -> Mesh | None:
    """A PartitionSpec is used where no mesh is set."""
    found = at_node(context)
    if found is None:
        return None
    names = [name for module in context.modules.values() for name in meshes(module)]
    array = _explicit_array(found)
    return Mesh(
        None,
        {"argument": array},
        "explicit" if array else "",
        context=context,
        node=found.node,
        mesh=names[0] if len(names) == 1 else "",
    )


def _explicit_array(found: AtNode) -> str:
    """Return the array of a call that is sharded over explicit axes, as the learner wrote it."""
    given = found.node.args[:1] if isinstance(found.node, ast.Call) else []
    facts = [found.frame.fact(array) for array in given]
    is_explicit = any(fact is not None and "@" in fact.detail for fact in facts)
    return found.module.text(given[0]) if is_explicit else ""


def meshes(module: Module) -> list[str]:
    """List the names that a file gives to meshes at its top."""
    return [
        s.targets[0].id
        for s in module.tree.body
        if isinstance(s, ast.Assign)
        and isinstance(s.targets[0], ast.Name)
        and isinstance(s.value, ast.Call)
        and (module.dotted(s.value.func) or "").endswith((".make_mesh", ".Mesh"))
    ]


def unknown_axis(context: FailureContext) -> AtNode | None:
    """A PartitionSpec names an axis that the mesh does not have."""
    found = at_node(context)
    said = re.search(r"(?:Resource axis: |_specs refers to ')(\w+)", context.message)
    if found is None:
        return None
    return replace(found, facts={"name": said[1]}) if said is not None else found


def more_devices(context: FailureContext) -> AtNode | None:
    """A mesh has more places than there are devices."""
    found = at_node(context)
    said = re.search(r"devices?,? (\d+).*?(?:mesh_shape|shape) ?\(([\d, ]+)\)", context.message)
    facts = {}
    if said is not None:
        size = 1
        for length in re.findall(r"\d+", said[2]):
            size *= int(length)
        facts = {"name": str(size), "argument": counted(int(said[1]), "device")}
    return replace(found, facts=facts) if found is not None else None


def bad_pair(context: FailureContext) -> AtCall | None:
    """A pair of ppermute names a device that does not exist, or one twice."""
    call = at_call(context)
    if call is None or not call.path.endswith(".ppermute") or not context.failure.jax_frames:
        return None
    pairs = argument(call.node, 2, "perm")
    return replace(call, facts={"name": call.module.text(pairs)}) if pairs is not None else call


def is_mean(function: FunctionNode, value: ast.expr) -> bool:
    """Return whether a result is a mean, and not a sum or a product."""
    names = {n.attr for n in ast.walk(value) if isinstance(n, ast.Attribute)}
    return bool(names & {"mean", "average"}) and function is not None
