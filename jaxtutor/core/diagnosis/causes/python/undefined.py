"""Matches and fixes names that are misspelt or not imported."""

from __future__ import annotations

import ast
import builtins
import difflib
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.python.lacking import missing_name
from jaxtutor.core.diagnosis.causes.python.slips import is_slip
from jaxtutor.core.diagnosis.causes.python.usual_imports import IMPORTS, SHARED
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, top_imports
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters

_NAME = re.compile(r"name '(\w+)' is not defined")


class UnknownName(AtFrame, frozen=True, kw_only=True):
    """A name that nothing binds, or a module of JAX that was never imported."""

    name: str


def _unknown(context: FailureContext, name: str, argument: str = "") -> UnknownName | None:
    if context.frame is None:
        return None
    facts = {"name": name, "argument": argument} if argument else {"name": name}
    return UnknownName(None, facts, context=context, name=name)


def missing_import(context: FailureContext) -> UnknownName | None:
    """A module is used and was never imported."""
    part = ".".join(missing_name(context) or ())
    if part in _APART:
        return _unknown(context, part)
    name = _undefined(context)
    is_module = name is not None and _is_used_as_module(context, name)
    found = _unknown(context, name) if name is not None and is_module else None
    if found is None or found.name not in IMPORTS:
        return found
    return replace(found, facts={**found.facts, "line": IMPORTS[found.name]}, form="known")


_APART = frozenset(
    """jax.ad_checkpoint jax.example_libraries jax.extend jax.flatten_util jax.scipy.optimize
    jax.scipy.spatial jax.experimental.array_serialization jax.experimental.buffer_callback
    jax.experimental.checkify jax.experimental.colocated_python jax.experimental.compute_on
    jax.experimental.custom_partitioning jax.experimental.jax2tf jax.experimental.jet
    jax.experimental.key_reuse jax.experimental.layout jax.experimental.mesh_utils
    jax.experimental.mosaic jax.experimental.multihost_utils jax.experimental.ode
    jax.experimental.pallas jax.experimental.pjit jax.experimental.profiler
    jax.experimental.random jax.experimental.rnn jax.experimental.roofline
    jax.experimental.serialize_executable jax.experimental.shard_map
    jax.experimental.sparse jax.experimental.topologies""".split()
)
_IMPORTED = frozenset(
    """Callable Mesh NamedSharding NamedTuple P Partial PartitionSpec Path Any Optional Sequence
    cache cached_property checkpoint cond custom_jvp custom_vjp dataclass debug defaultdict deque
    deepcopy device_put einops fori_loop grad hessian jacfwd jacrev jax jit jnp jvp lax lru_cache
    make_jaxpr namedtuple nn np numpy onp optax partial pl pmap random reduce remat scan shard_map
    sqrt switch tqdm tree_flatten tree_leaves tree_map tree_structure tree_unflatten tree_util
    value_and_grad vjp vmap while_loop checkify""".split()
)


def _is_used_as_module(context: FailureContext, name: str) -> bool:
    """Return whether a missing name is a module's, or of what one imports by name."""
    own = _own_names(context) - set(dir(builtins))
    if difflib.get_close_matches(name, own, 1, 0.8):
        return False
    return name in _IMPORTED or _has_attributes(context, name)


def _has_attributes(context: FailureContext, name: str) -> bool:
    tree = context.frame.module.tree if context.frame is not None else ast.Module([], [])
    used = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute)]
    return any(isinstance(n.value, ast.Name) and n.value.id == name for n in used)


def name_typo(context: FailureContext) -> UnknownName | None:
    """A name of the learner's is misspelt: another one is close to it."""
    name = _undefined(context)
    if name is None:
        return None
    close = difflib.get_close_matches(name, _own_names(context) - {name}, 1, 0.6)
    suggested = re.search(r"Did you mean: '(\w+)'", context.message)
    meant = close[0] if close else suggested[1] if suggested is not None else ""
    return _unknown(context, name, meant) if meant else None


def _undefined(context: FailureContext) -> str | None:
    found = _NAME.search(context.message)
    return found[1] if found is not None and context.frame is not None else None


def _own_names(context: FailureContext) -> set[str]:
    """List the names that the scopes around the failure bind."""
    frame = context.frame
    if frame is None:
        return set()
    module: Module = frame.module
    start = frame.node or frame.statement
    scopes = [module.tree, *(module.ancestors(start) if start is not None else ())]
    bound = {n for s in scopes for c in ast.iter_child_nodes(s) for n in bound_names(c)}
    inner = (
        {n for c in ast.walk(frame.function) for n in bound_names(c)} if frame.function else set()
    )
    given = {
        a.arg for s in scopes if isinstance(s, ast.FunctionDef | ast.Lambda) for a in parameters(s)
    }
    return bound | inner | given | set(module.imports) | set(dir(builtins))


def spell_name(found: UnknownName) -> Drafts:
    """Write the nearest of the names in sight."""
    frame, name = found.frame, found.name
    for near in difflib.get_close_matches(name, sorted(names_in_sight(frame) - {name}), 2, 0.6):
        draft = Draft(frame.module)
        if is_slip(name, near) and sum(is_slip(name, n) for n in names_in_sight(frame)) == 1:
            draft.certain()
        for node in ast.walk(frame.function or frame.module.tree):
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                draft.replace(node, near)
        yield draft


def names_in_sight(frame: FrameContext) -> set[str]:
    """List the names that the fault could have meant."""
    module = frame.module
    scopes: list[ast.AST] = [module.tree]
    if frame.function is not None:
        scopes += [frame.function, *module.ancestors(frame.function)]
    found = set(module.imports)
    for scope in scopes:
        if isinstance(scope, ast.FunctionDef | ast.Lambda):
            found |= set(parameter_names(scope))
        if isinstance(scope, ast.FunctionDef | ast.Module):
            found |= {n for c in ast.walk(scope) for n in bound_names(c)}
    return found | {n for n in dir(builtins) if n.islower()}


def add_import(found: UnknownName) -> Drafts:
    """Import the module, or use the name that it already has in this file."""
    module, name = found.module, found.name
    if name.startswith("jax."):
        yield Draft(module).import_line(f"import {name}").certain()
        return
    statement = IMPORTS.get(name)
    if statement is None:
        return
    draft = Draft(module).import_line(statement)
    yield draft if name in SHARED else draft.certain()
    home = statement.split()[1]
    other = next((a for a, path in top_imports(module).items() if path == home), None)
    if other is not None:
        draft = Draft(module)
        for node in module.nodes:
            if isinstance(node, ast.Name) and node.id == name:
                draft.replace(node, other)
        yield draft


RULES = (
    Rule("missing-import", raised(missing_import), add_import, before=("name-typo",)),
    Rule("name-typo", raised(name_typo), spell_name),
)
