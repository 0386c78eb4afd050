"""Names settings that a compiled function reads, and that another file changes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.data.observations import StaleAttribute, StaleItem
from jaxtutor.core.diagnosis.engine.matches import ObservedLocation
from jaxtutor.core.diagnosis.engine.source import Definition, Module, names_in, path_of
from jaxtutor.core.diagnosis.engine.transforms import name_of
from jaxtutor.core.diagnosis.observed.state import StaleRead, is_start, loops_of, stale_read
from jaxtutor.core.diagnosis.reading.functions import parameters

MOST_CALLERS = 3  # functions between a compiled function and the statement that runs it


def stale_elsewhere(spot: ObservedLocation[StaleItem | StaleAttribute]) -> StaleRead | None:
    """An entry or attribute of a global that changed in another file, after it was compiled.

    A function that was traced again since then has read the new value.
    """
    seen, module, function = spot.seen, spot.module, spot.observed_function
    if function is None:
        return None
    if seen.is_renewed or any(_clears_caches(n) for m in spot.modules.values() for n in m.nodes):
        return None
    read = [n for n in ast.walk(function) if _is_setting(n, seen)]
    owners = {path_of(n.value) or "" for n in read if isinstance(n, ast.Subscript | ast.Attribute)}
    given = {a.arg for a in parameters(function)} | {"self"}
    if len(owners) != 1 or any(o.partition(".")[0] in given for o in owners):
        return None
    (owner,) = owners
    others = (m for m in spot.modules.values() if m is not module)
    if not any(_is_changed(m, seen, owner, name_of(function)) for m in others):
        return None
    facts = {"name": module.text(read[0]), "function": name_of(function)}
    return stale_read(module, module.statement(read[0]) or read[0], owner, facts)


def _clears_caches(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in ("clear_caches", "clear_cache")


def _is_setting(node: ast.AST, seen: StaleItem | StaleAttribute) -> bool:
    """Return whether a node is `SETTINGS["name"]`, or `settings.name`."""
    if isinstance(seen, StaleAttribute):
        return isinstance(node, ast.Attribute) and node.attr == seen.name
    key = node.slice if isinstance(node, ast.Subscript) else None
    return isinstance(key, ast.Constant) and key.value == seen.name


def _is_changed(
    module: Module, seen: StaleItem | StaleAttribute, owner: str, function: str
) -> bool:
    """Return whether a file changes a setting, and then runs a function of another file."""
    last = owner.rpartition(".")[2]
    nodes = [n for n in module.nodes if isinstance(n, ast.Subscript | ast.Attribute)]
    for node in nodes:
        base = (path_of(node.value) or "").rpartition(".")[2]
        change = module.statement(node) if isinstance(node.ctx, ast.Store) else None
        if base != last or change is None or not _is_setting(node, seen):
            continue
        if not is_start(module, change) and _runs_after(module, change, function):
            return True
    return False


def _runs_after(module: Module, change: ast.stmt, function: str) -> bool:
    """Return whether a scope runs a function below a change in it, or in the same loop."""
    names = {function}
    for _ in range(MOST_CALLERS):
        names |= {f.name for f in module.functions if isinstance(f, Definition) and _uses(f, names)}
    loops, scope = set(loops_of(module, change)), module.scope(change)
    paths = set(_paths(module, names))
    for use in ast.walk(scope):
        is_use = isinstance(use, ast.Name | ast.Attribute) and path_of(use) in paths
        if not is_use or not isinstance(use, ast.expr) or module.scope(use) is not scope:
            continue
        is_below = use.lineno > (change.end_lineno or change.lineno)
        if is_below or loops & set(loops_of(module, use)):
            return True
    return False


def _uses(function: Definition, names: set[str]) -> bool:
    called = {n.attr for n in ast.walk(function) if isinstance(n, ast.Attribute)}
    return bool((names_in(function) | called) & names)


def _paths(module: Module, names: set[str]) -> Iterator[str]:
    """Yield how a file writes functions: by name, or in a module that it imports."""
    for name in names:
        yield name
        yield from (f"{home}.{name}" for home in module.imports)
