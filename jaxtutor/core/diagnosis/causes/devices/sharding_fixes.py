"""Fixes shardings: specs, meshes, and collectives between devices."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.devices.sharding import (
    AtShardMap,
    LongSpec,
    Mesh,
    bad_pair,
    constraint,
    is_mean,
    meshes,
    more_devices,
    no_mesh,
    not_replicated,
    rank_mismatch,
    specs_count,
    unknown_axis,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, AtNode
from jaxtutor.core.diagnosis.engine.rules import Rule, by_message, raised
from jaxtutor.core.diagnosis.engine.transforms import every
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import result_of
from jaxtutor.core.diagnosis.reading.values import elements

_SUMS = frozenset({"sum", "dot", "matmul", "einsum", "vdot", "tensordot"})


def reduce_result(found: AtShardMap) -> Drafts:
    """Combine what the devices computed: a mean of means, or a sum of sums."""
    function = found.mapped.function
    value = result_of(function) if function is not None else None
    axis = found.facts.get("name")
    if function is None or value is None or not axis or isinstance(value, ast.Tuple):
        return
    names = {n.attr for n in ast.walk(value) if isinstance(n, ast.Attribute)}
    is_product = any(isinstance(n, ast.MatMult) for n in ast.walk(value))
    if is_mean(function, value):
        yield _combined(found, value, "pmean", axis)
    elif names & _SUMS or is_product:
        yield _combined(found, value, "psum", axis)


def _combined(found: AtShardMap, value: ast.expr, collective: str, axis: str) -> Draft:
    draft = Draft(found.mapped.module)
    return draft.wrap(value, f"{draft.name(f'jax.lax.{collective}')}(", f', "{axis}")')


def empty_spec(found: LongSpec) -> Drafts:
    """Use an empty spec for a number."""
    if isinstance(found.spec, ast.Call) and "rank 0" in found.context.message:
        function = found.written_in.text(found.spec.func)
        yield Draft(found.written_in).replace(found.spec, f"{function}()")


def reshard(found: AtCall) -> Drafts:
    """Move the array with `reshard`, which is meant for explicit meshes."""
    draft = Draft(found.module)
    yield draft.replace(found.node.func, draft.name("jax.sharding.reshard"))


def name_mesh(found: Mesh) -> Drafts:
    """Name the mesh of the array, or the only one of the file, where a spec stands alone."""
    array = found.facts.get("argument")
    if not found.mesh and not array:
        return
    module = found.module
    specs = [n for n in ast.walk(found.node) if _is_spec(module.dotted(getattr(n, "func", None)))]
    if "context mesh cannot be empty" in found.context.message:
        for item in every(found.context, "shard_map"):
            if item.call is not None and item.option("mesh") is None:
                yield add_argument(Draft(item.module), item.call, f"mesh={found.mesh}")
        return
    draft = Draft(module)
    mesh = f"{draft.name('jax.typeof')}({array}).sharding.mesh" if array else found.mesh
    for spec in specs:
        draft.wrap(spec, f"{draft.name('jax.sharding.NamedSharding')}({mesh}, ", ")")
    if specs:
        yield draft


def _is_spec(path: str | None) -> bool:
    return path in ("jax.sharding.PartitionSpec", "jax.P")


def only_axis(found: AtNode) -> Drafts:
    """Use the only axis that the mesh has."""
    module = found.module
    made = [n for n in module.calls if _makes_mesh(n, found)]
    named = argument(made[0], 1, "axis_names") if len(made) == 1 else None
    axes = elements(named)
    if len(axes) != 1:
        return
    draft = Draft(module)
    used = [
        n
        for n in ast.walk(found.node)
        if isinstance(n, ast.Constant) and n.value == found.facts.get("name")
    ]
    for constant in used:
        draft.replace(constant, module.text(axes[0]))
    yield draft


def _makes_mesh(call: ast.Call, found: AtNode) -> bool:
    return (found.module.dotted(call.func) or "").endswith((".make_mesh", ".Mesh"))


def replicated_output(found: AtFrame) -> Drafts:
    """Ask for a result that every device has."""
    module, node = found.module, found.at
    draft, names = Draft(module), meshes(module)
    spec = f"{draft.name('jax.sharding.PartitionSpec')}()"
    if len(names) == 1:
        spec = f"{draft.name('jax.sharding.NamedSharding')}({names[0]}, {spec})"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        texts = f"{module.text(node.left)}, {module.text(node.right)}"
        made = f"{draft.name('jax.numpy.matmul')}({texts}, out_sharding={spec})"
        yield draft.replace(node, made)
    elif isinstance(node, ast.Call) and argument(node, None, "out_sharding") is None:
        yield add_argument(draft, node, f"out_sharding={spec}")


def more_cpu_devices(found: AtNode) -> Drafts:
    """Let the CPU stand for as many devices as the mesh has."""
    module = found.module
    imports = [s for s in module.tree.body if isinstance(s, ast.Import | ast.ImportFrom)]
    count = found.facts.get("name", "")
    if not imports or not count:
        return
    draft = Draft(module)
    line = f'{draft.name("jax.config.update")}("jax_num_cpu_devices", {count})'
    yield draft.lines_after(imports[-1], f"\n{line}")


def wrap_round(found: AtCall) -> Drafts:
    """Take the second of each pair modulo the number of devices."""
    pairs = argument(found.node, 2, "perm")
    if not isinstance(pairs, ast.ListComp) or not isinstance(pairs.elt, ast.Tuple):
        return
    source = pairs.generators[0].iter
    is_range = isinstance(source, ast.Call) and len(source.args) == 1
    if not isinstance(source, ast.Call) or not is_range:
        return
    count = found.module.text(source.args[0])
    for item in pairs.elt.elts:
        step = _shifted(item)
        if step is not None:
            yield Draft(found.module).replace(item, f"({found.module.text(step)}) % {count}")


def _shifted(item: ast.expr) -> ast.expr | None:
    """Return `i + 1` of `i + 1` and of `i + 1 % n`, which Python reads as `i + (1 % n)`."""
    if not isinstance(item, ast.BinOp) or not isinstance(item.op, ast.Add | ast.Sub):
        return None
    step = item.right
    if isinstance(step, ast.BinOp) and isinstance(step.op, ast.Mod):
        made = ast.BinOp(item.left, item.op, step.left)
        made.lineno, made.col_offset = item.lineno, item.col_offset
        made.end_lineno, made.end_col_offset = step.left.end_lineno, step.left.end_col_offset
        return made
    return item


def leave_unspecified(found: AtShardMap) -> Drafts:
    """Leave the shardings of the last arguments to JAX, which follows where they lie."""
    written = found.mapped.option(found.facts["name"]) if found.missing > 0 else None
    if isinstance(written, ast.Tuple | ast.List) and written.elts:
        yield Draft(found.mapped.module).after(written.elts[-1], ", None" * found.missing)


RULES = (
    Rule("out-specs-not-replicated", raised(not_replicated), reduce_result),
    Rule("specs-rank-mismatch", raised(rank_mismatch), empty_spec),
    Rule("specs-count-mismatch", raised(specs_count), leave_unspecified),
    Rule("constraint-on-explicit-mesh", raised(constraint), reshard),
    Rule("no-mesh-in-context", raised(no_mesh), name_mesh),
    Rule("spec-axis-not-in-mesh", raised(unknown_axis), only_axis),
    Rule("ambiguous-contraction", by_message(), replicated_output),
    Rule("mesh-needs-more-devices", raised(more_devices), more_cpu_devices),
    Rule("ppermute-bad-pair", raised(bad_pair), wrap_round),
)
