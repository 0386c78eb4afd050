"""Gives each iteration of a compiled loop a key of its own."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.randomness.shared_key import is_named_key
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import fresh_name
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, own_nodes
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, applied, reached
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters
from jaxtutor.core.diagnosis.reading.values import is_none


def key_for_each_iteration(found: Finding) -> Drafts:
    """Fold the counter of a loop into the key that its body reads, or scan over keys."""
    module, around = found.module, list(found.module.ancestors(found.node))
    for item in applied(module):
        function = item.function
        if item.kind not in ("scan", "fori_loop") or not isinstance(function, ast.FunctionDef):
            continue
        if function not in around and not any(f in around for f in reached(module, function)):
            continue
        keys = _keys_from_outside(function)
        if len({key.id for key in keys}) == 1:
            yield _scan_over_keys(module, item, function, keys)
            yield _folded(module, item, function, keys)


def _keys_from_outside(function: ast.FunctionDef) -> list[ast.Name]:
    """List where a body reads keys that it neither takes nor makes."""
    own = set(parameter_names(function))
    own |= {name for n in own_nodes(function) for name in bound_names(n)}
    names = [n for n in ast.walk(function) if isinstance(n, ast.Name) and is_named_key(n)]
    return [n for n in names if n.id not in own and isinstance(n.ctx, ast.Load)]


def _scan_over_keys(
    module: Module, item: AppliedTransform, function: ast.FunctionDef, keys: list[ast.Name]
) -> Draft | None:
    """Scan over split keys in the place of nothing: `lax.scan(body, x, None, length=n)`."""
    given, call = parameters(function), item.call
    if item.kind != "scan" or call is None or len(given) != 2:
        return None
    over, length = argument(call, 2, "xs"), argument(call, 3, "length")
    reads = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == given[1].arg]
    is_nothing = is_none(over)
    if not is_nothing or over is None or length is None or reads:
        return None
    draft, name = Draft(module), fresh_name(module, "step_key", "round_key")
    split = draft.name("jax.random.split")
    draft.replace(given[1], name).replace(over, f"{split}({keys[0].id}, {module.text(length)})")
    for key in keys:
        draft.replace(key, name)
    return draft


def _folded(
    module: Module, item: AppliedTransform, function: ast.FunctionDef, keys: list[ast.Name]
) -> Draft | None:
    """Fold in the counter of `fori_loop`, or the elements of an `arange` that is scanned."""
    given, call = parameters(function), item.call
    if call is None or len(given) != 2:
        return None
    over = argument(call, 2, "xs") if item.kind == "scan" else None
    is_counted = isinstance(over, ast.Call) and module.dotted(over.func) == "jax.numpy.arange"
    if item.kind == "scan" and not is_counted:
        return None
    counter = given[1 if item.kind == "scan" else 0].arg
    draft = Draft(module)
    fold = draft.name("jax.random.fold_in")
    for key in keys:
        draft.replace(key, f"{fold}({key.id}, {counter})")
    return draft
