"""Matches and fixes names that the installed version no longer has."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.causes.jax_api.moved import MOVED, UNLIKE
from jaxtutor.core.diagnosis.causes.python.lacking import missing_name
from jaxtutor.core.diagnosis.causes.python.refused import (
    rename_keyword,
    renamed_keyword,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, at_frame
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.names import last_part

# Names that older versions of JAX had. A trailing dot stands for everything inside.
_REMOVED = frozenset(
    """jax.DeviceArray jax.abstract_arrays jax.ad jax.api jax.api_util jax.array_ref
    jax.batching jax.clear_backends jax.config.config jax.core jax.core.ClosedJaxpr
    jax.core.ConcreteArray jax.core.ConcretizationTypeError jax.core.DropVar
    jax.core.Jaxpr jax.core.JaxprEqn jax.core.Literal jax.core.Primitive
    jax.core.UnexpectedTracerError jax.core.Var jax.core.eval_context jax.core.gensym
    jax.core.get_aval jax.core.jaxpr_as_fun jax.core.raise_to_shaped
    jax.core.thread_local_state jax.core.trace_state_clean
    jax.core.unsafe_am_i_under_a_jit_DO_NOT_USE jax.curry jax.custom_ivjp
    jax.custom_transforms jax.defjvp jax.defvjp jax.device_put_replicated
    jax.device_put_sharded jax.dtypes.prng_key jax.errors.OmnistagingError
    jax.experimental.PartitionSpec jax.experimental.array_api jax.experimental.attrs
    jax.experimental.custom_dce jax.experimental.disable_x64 jax.experimental.djax
    jax.experimental.enable_x64 jax.experimental.gda jax.experimental.general_map
    jax.experimental.global_device_array jax.experimental.host_callback
    jax.experimental.loops jax.experimental.maps jax.experimental.optimizers
    jax.experimental.pallas.load jax.experimental.pallas.store
    jax.experimental.pjit.PartitionSpec jax.experimental.stax jax.experimental.vectorize
    jax.host_count jax.host_id jax.host_ids jax.interpreters.pxla jax.interpreters.xla
    jax.interpreters.xla.DeviceArray jax.jaxpr_util jax.lax.dtype jax.lax.infeed
    jax.lax.outfeed jax.lax.pvary jax.lax.select_p jax.lax.tie_in jax.lax_linalg
    jax.lax_reference jax.lazy jax.lib.pytree jax.lib.xla_bridge jax.lib.xla_client
    jax.linear_util jax.make_jaxpr_effect jax.mask jax.mutable_array jax.nn.functions
    jax.nn.hardswish jax.nn.normalize jax.numpy.DeviceArray jax.numpy.alltrue
    jax.numpy.asscalar jax.numpy.bool jax.numpy.bool8 jax.numpy.complex
    jax.numpy.cumproduct jax.numpy.float jax.numpy.in1d jax.numpy.int
    jax.numpy.issubsctype jax.numpy.lax_numpy jax.numpy.linalg.linalg jax.numpy.msort
    jax.numpy.object jax.numpy.polynomial jax.numpy.product jax.numpy.round_
    jax.numpy.row_stack jax.numpy.sometrue jax.numpy.str jax.numpy.trapz jax.ops.index
    jax.ops.index_add jax.ops.index_max jax.ops.index_min jax.ops.index_mul
    jax.ops.index_update jax.pjit jax.prng jax.profiler.StepTraceContext
    jax.profiler.TraceContext jax.random.KeyArray jax.random.PRNGKeyArray
    jax.random.shuffle jax.random.threefry_2x32 jax.scipy.linalg.tril
    jax.scipy.linalg.triu jax.shapecheck jax.sharding.GSPMDSharding
    jax.sharding.MeshPspecSharding jax.sharding.OpShardingSharding
    jax.sharding.XLACompatibleSharding jax.sharding.use_mesh jax.soft_pmap jax.test_util
    jax.tools.jax_to_hlo jax.tree_flatten jax.tree_leaves jax.tree_map jax.tree_multimap
    jax.tree_structure jax.tree_transpose jax.tree_unflatten jax.tree_util.build_tree
    jax.tree_util.register_keypaths jax.tree_util.tree_multimap jax.treedef_is_leaf
    jax.util jax.xla_computation numpy.Inf numpy.NaN numpy.alltrue numpy.asfarray
    numpy.bool numpy.complex numpy.cumproduct numpy.float numpy.in1d numpy.infty
    numpy.int numpy.object numpy.product numpy.row_stack numpy.sometrue numpy.str
    numpy.trapz""".split()
)
_GONE = re.compile(r"^`?([\w.]+)`? (?:is|was|has been) (?:deprecated|removed)")
_GONE_METHODS = frozenset({"to_py", "device_buffer", "device_buffers", "aval_", "xla_shape"})
_METHOD = re.compile(r"'[\w.]*ArrayImpl' object has no attribute '(\w+)'")
_INSTEAD = re.compile(r"[Uu]se `?([\w.]+)`? instead of `?([\w.]+)`?")


class ReplacedName(AtFrame, frozen=True, kw_only=True):
    """A name that a library itself says to write in the place of another, in some file."""

    nodes: tuple[ast.Attribute, ...]
    module_of: Module
    new: str


def removed(context: FailureContext) -> AtFrame | None:
    """A name that an older JAX or NumPy had is used."""
    keyword = renamed_keyword(context)
    if keyword is not None:
        return keyword
    found = missing_name(context)
    if found is None:
        replaced = _replaced(context)
        if replaced is not None:
            return replaced
        gone = _gone(context.message)
        return at_frame(context, {"name": gone}) if gone is not None else None
    path = ".".join(part for part in found if part)
    imported = _imported(context, path)
    if imported is not None:
        return imported
    return _gone_from(context, path) if _is_removed(context, path) else None


def _imported(context: FailureContext, path: str) -> AtFrame | None:
    """Return the match of a name that is imported from a module that is gone, and moved."""
    statement = context.frame.statement if context.frame is not None else None
    if not isinstance(statement, ast.ImportFrom) or len(statement.names) != 1:
        return None
    name = f"{path}.{statement.names[0].name}"
    new = MOVED.get(name, "")
    home, _, last = new.rpartition(".")
    if context.frame is None or statement.module != path or not home:
        return None
    facts = {"name": name, "argument": f"from {home} import {last}", "container": "JAX"}
    return AtFrame(None, facts, "imported", context=context)


def _gone_from(context: FailureContext, path: str) -> AtFrame | None:
    """Return the match of a path that is gone, with what took its place if that is known."""
    facts, new = {"name": path}, _successor(path)
    if context.frame is None or new is None:
        return at_frame(context, facts)
    library = "NumPy" if path.startswith("numpy.") else "JAX"
    written = f"x.at[i]{new}(value)" if new[0] == "." else new
    facts = {**facts, "argument": written, "container": library}
    form = "update" if new[0] == "." else "unlike" if path in UNLIKE else "moved"
    return AtFrame(None, facts, form, context=context)


def _successor(path: str) -> str | None:
    """Return the new path of a name, or of a name in a module that has moved."""
    home, _, name = path.rpartition(".")
    if path in MOVED or not home:
        return MOVED.get(path)
    new = _successor(home)
    return f"{new}.{name}" if new is not None and new[0] != "." else None


def _replaced(context: FailureContext) -> ReplacedName | None:
    """Return the names to replace, if a message says by what, and one file has them."""
    said, frame = _INSTEAD.search(context.message), context.frame
    if (
        context.error != "AttributeError"
        or said is None
        or frame is None
        or not context.failure.jax_frames
    ):
        return None
    new, old = said[1].rstrip("."), said[2].rstrip(".")
    for module in context.modules.values():
        nodes = tuple(
            n
            for n in module.nodes
            if isinstance(n, ast.Attribute) and f".{module.dotted(n)}".endswith(f".{old}")
        )
        if nodes:
            facts = {"name": module.text(nodes[0]), "argument": new}
            place = module.location(nodes[0])
            return ReplacedName(
                place,
                facts,
                "replaced",
                context=context,
                nodes=nodes,
                module_of=module,
                new=last_part(new),
            )
    return None


def _gone(message: str) -> str | None:
    """Name what the library itself says it has removed."""
    said, method = _GONE.search(message), _METHOD.search(message)
    if method is not None and method[1] in _GONE_METHODS:
        return method[1]
    return said[1] if said is not None else None


def _is_removed(context: FailureContext, path: str) -> bool:
    if path in _REMOVED or any(r.startswith(path + ".") for r in _REMOVED):
        return True
    said = ("was removed", "is deprecated", "has been removed")
    if path.startswith(("jax.", "numpy.")) and any(words in context.message for words in said):
        return True
    return context.error == "ModuleNotFoundError" and path.startswith("jax.")


def write_new_name(found: AtFrame) -> Drafts:
    """Write a name that is gone as the one that took its place, everywhere in the file."""
    here = _paths_at_fault(found)
    yield _renamed(found.module, here)
    used = {found.module.dotted(n) or "" for n in found.module.nodes}
    also = {path: MOVED[path] for path in used & _REMOVED & set(MOVED) - UNLIKE}
    if not also.keys() <= here.keys():
        yield _renamed(found.module, {**here, **also})


def _renamed(module: Module, wanted: dict[str, str]) -> Draft:
    draft = Draft(module)
    if not set(wanted) & UNLIKE:
        draft.certain()
    for node in module.nodes:
        if isinstance(node, ast.Attribute | ast.Name) and module.dotted(node) in wanted:
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                _move(draft, node, wanted[module.dotted(node) or ""])
        elif isinstance(node, ast.ImportFrom) and not node.level:
            _move_import(draft, node)
        elif isinstance(node, ast.Import):
            _move_module(draft, node, wanted)
    return draft


def _as_said(found: ReplacedName) -> Drafts:
    """Write what the library's message says."""
    module, draft = found.module_of, Draft(found.module_of).certain()
    for name in found.nodes:
        draft.replace(name, f"{module.text(name.value)}.{found.new}")
    yield draft


def _paths_at_fault(found: AtFrame) -> dict[str, str]:
    """List the moved names in the statement at fault."""
    module, statement = found.module, found.frame.statement
    nodes = list(ast.walk(statement)) if statement is not None else []
    paths = {module.dotted(n) for n in nodes if isinstance(n, ast.Attribute | ast.Name)}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            paths |= {f"{node.module}.{item.name}" for item in node.names}
        elif isinstance(node, ast.Import):
            paths |= {item.name for item in node.names}
    return {path: MOVED[path] for path in paths if path in MOVED}


def _move(draft: Draft, node: ast.Attribute, new: str) -> None:
    if new[0] == ".":
        _move_update(draft, node, new[1:])
    else:
        draft.replace(node, new if "." not in new else draft.name(new))


def _move_update(draft: Draft, node: ast.Attribute, method: str) -> None:
    """`index_update(x, index[i], v)` becomes `x.at[i].set(v)`."""
    module, call = draft.module, draft.module.parents.get(node)
    if not isinstance(call, ast.Call) or len(call.args) != 3:
        return
    array, index, value = call.args
    is_index = isinstance(index, ast.Subscript) and module.text(index.value).endswith("index")
    inner = module.text(index.slice) if is_index and isinstance(index, ast.Subscript) else ""
    place = inner or module.text(index)
    draft.replace(call, f"{module.text(array)}.at[{place}].{method}({module.text(value)})")


def _move_import(draft: Draft, node: ast.ImportFrom) -> None:
    """Import from the new places; any import of a removed name fails, not the first alone."""
    names: dict[str, list[str]] = {}
    for item in node.names:
        new = _successor(f"{node.module}.{item.name}")
        home, _, name = (new or "").rpartition(".")
        alias = item.asname or item.name
        if home:
            names.setdefault(home, []).append(name + (f" as {alias}" if alias != name else ""))
        elif new is None:
            names.setdefault(node.module or "", []).append(draft.module.text(item))
    lines = [f"from {home} import {', '.join(listed)}" for home, listed in names.items()]
    if set(names) != {node.module}:
        draft.replace(node, "\n".join(lines))


def _move_module(draft: Draft, node: ast.Import, wanted: dict[str, str]) -> None:
    for item in node.names:
        new = wanted.get(item.name)
        if new is not None and item.asname is not None and len(node.names) == 1:
            draft.replace(node, f"import {new} as {item.asname}")


RULES = (Rule("removed-api", raised(removed), by_match(write_new_name, rename_keyword, _as_said)),)
