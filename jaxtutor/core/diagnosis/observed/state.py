"""Names what a compiled function read in addition to its arguments and that changed later."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from jaxtutor.core.data.observations import (
    MutatedBound,
    MutatedStatic,
    StaleAttribute,
    StaleGlobal,
    StaleItem,
)
from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation, finding
from jaxtutor.core.diagnosis.engine.rules import Rule, observed
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    FunctionNode,
    Location,
    Module,
    bound_names,
    names_in,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    applied,
    definition_place,
    name_of,
    place_of,
    static_names,
)
from jaxtutor.core.diagnosis.reading.functions import parameters

_STATIC = frozenset({"shape", "ndim", "dtype", "size"})


class StaleRead(Finding, frozen=True, kw_only=True):
    """A read of the variable `name`, or of a part of it, whose later values are not seen."""

    name: str


def stale_read(
    module: Module, at: ast.AST | Span | Location, name: str, facts: dict[str, str], form: str = ""
) -> StaleRead:
    """Return a match at a node, or at a place that no node covers exactly."""
    found = finding(module, at, facts, form)
    return StaleRead(found.place, facts, form, module=module, node=found.node, name=name)


def stale_global(spot: ObservedLocation[StaleGlobal]) -> StaleRead | None:
    """A variable that a compiled function reads, and that changed after it was compiled."""
    module, function = spot.module, spot.observed_function
    if function is None:
        return None
    name = spot.seen.name
    if name in {a.arg for a in parameters(function)}:
        return None
    used = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name]
    if any(not isinstance(n.ctx, ast.Load) for n in used):
        return _counted_inside(module, function, name, used)
    values = [n for n in used if _reads_value(module, n)]
    changes = [c for c in _changes_of(module, name) if _is_same_variable(module, c, function, name)]
    if not values or not _is_called_after(module, function, changes):
        return None
    statement = module.statement(values[0])
    is_inner = statement is not None and statement is not function
    place = module.location(module.header(statement) if statement and is_inner else values[0])
    return stale_read(module, place, name, {"name": name, "function": name_of(function)})


def _counted_inside(
    module: Module, function: FunctionNode, name: str, used: list[ast.Name]
) -> StaleRead | None:
    """Find a `global` that a compiled function changes and computes with: it counts traces."""
    scopes = [n for n in ast.walk(function) if isinstance(n, ast.Global | ast.Nonlocal)]
    if not any(name in n.names for n in scopes):
        return None
    stores = [module.statement(n) for n in used if not isinstance(n.ctx, ast.Load)]
    reads = [n for n in used if isinstance(n.ctx, ast.Load) and _is_computed_with(module, n)]
    statements = [s for n in reads if (s := module.statement(n)) is not None and s not in stores]
    calls = list(uses_of(module, {name_of(function), *names_of(module, function)} - {""}))
    is_repeated = len(calls) > 1 or any(any(loops_of(module, use)) for use in calls)
    if not statements or not is_repeated:
        return None
    facts = {"name": name, "function": name_of(function)}
    return stale_read(module, module.header(statements[0]), name, facts)


def _is_computed_with(module: Module, node: ast.Name) -> bool:
    """Return whether a name is an operand of arithmetic."""
    return isinstance(module.parents.get(node), ast.BinOp)


def _reads_value(module: Module, node: ast.Name) -> bool:
    """Return whether a use depends on the value, and not only on a shape, a length or a method."""
    parent = module.parents.get(node)
    if isinstance(parent, ast.Attribute):
        return parent.attr not in _STATIC | {"append"}
    is_len = isinstance(parent, ast.Call) and path_of(parent.func) in ("len", "jax.numpy.shape")
    return not is_len


def _changes_of(module: Module, name: str) -> Iterator[ast.stmt]:
    """List the statements that bind a variable, or change what it holds."""
    for node in module.nodes:
        if isinstance(node, ast.Call) and _is_passed_to_nnx(module, node, name):
            statement = module.statement(node)
            if statement is not None:
                yield statement
        if not isinstance(node, ast.Assign | ast.AugAssign | ast.For):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        stored = (n for t in targets for n in ast.walk(t) if isinstance(n, ast.expr))
        if name in bound_names(node) or any(_is_part(n, name) for n in stored):
            yield node


def _is_passed_to_nnx(module: Module, call: ast.Call, name: str) -> bool:
    """Return whether a call passes an object to a function under `nnx.jit`, which may change it."""
    if name not in {getattr(a, "id", "") for a in call.args}:
        return False
    compiled = [a for a in applied(module) if a.kind == "jit" and a.function is not None]
    nnx = [a for a in compiled if module.dotted(getattr(a.node, "func", a.node)) == "flax.nnx.jit"]
    return path_of(call.func) in {name_of(a.function) for a in nnx}


def _is_same_variable(module: Module, change: ast.stmt, function: FunctionNode, name: str) -> bool:
    """Return whether a name at a change is the variable that a function reads, not a local one."""
    scope = module.function(change)
    if scope is None or scope in list(module.ancestors(function)):
        return True
    if any(isinstance(n, ast.Global | ast.Nonlocal) and name in n.names for n in ast.walk(scope)):
        return True
    is_local = name in {a.arg for a in parameters(scope)} or bool(module.assignments(name, scope))
    return not is_local


def _is_part(node: ast.AST, name: str) -> bool:
    """Return whether a store goes into an item or attribute of a name."""
    if not isinstance(node, ast.Subscript | ast.Attribute) or not isinstance(node.ctx, ast.Store):
        return False
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id == name


def _is_called_after(module: Module, function: FunctionNode, changes: list[ast.stmt]) -> bool:
    """Return whether a function is used after a change, or in the loop that makes it.

    Where the order of lines says nothing, because one of both is inside a function, it may be.
    """
    if not changes:
        return True
    later = [c for c in changes if _may_follow(module, c, function)]
    return any(_is_used_later(module, function, change) for change in later)


def _may_follow(module: Module, change: ast.stmt, function: FunctionNode) -> bool:
    """Return whether a change may happen after a function was defined and compiled.

    A function that is made in a loop, below the change, is made again after each change.
    """
    if module.function(change) not in (None, module.function(function)):
        return True
    return change.lineno > function.lineno


def _is_used_later(
    module: Module, function: FunctionNode, change: ast.stmt, depth: int = 3
) -> bool:
    """Return whether a function, or one that uses it, is used after a change."""
    if isinstance(module.function(change), Definition):
        return True  # when that function runs is not known
    for use in uses_of(module, {name_of(function), *names_of(module, function)} - {""}):
        user = module.function(use)
        is_after = use.lineno > (change.end_lineno or change.lineno)
        if is_after and _is_made_again(module, function, change, use):
            continue
        shares_loop = bool(set(loops_of(module, use)) & set(loops_of(module, change)))
        if user is None and (is_after or shares_loop):
            return True
        if user is not None and depth and _is_used_later(module, user, change, depth - 1):
            return True
    return False


def _is_made_again(
    module: Module, function: FunctionNode, change: ast.stmt, use: ast.Name | ast.Attribute
) -> bool:
    """Return whether the name of a use gets another function after a change, as in a cell.

    A second `jax.jit` of the same function is the same program.
    """
    own, name = name_of(function), path_of(use) or ""
    lines = range(change.lineno + 1, use.lineno)
    between = [n for n in module.tree.body if n.lineno in lines and n is not function]
    is_other = any(own in bound_names(n) for n in between)
    makers = (n for n in between if name in bound_names(n))
    return any(is_other or own not in names_in(n) for n in makers)


def uses_of(module: Module, names: set[str]) -> Iterator[ast.Name | ast.Attribute]:
    """Yield the places that read a name, or an attribute of that name."""
    nodes = (n for n in module.nodes if isinstance(n, ast.Name | ast.Attribute))
    for node in nodes:
        is_one = (path_of(node) or "").rpartition(".")[2] in names
        if is_one and isinstance(node.ctx, ast.Load):
            yield node


def loops_of(module: Module, node: ast.AST) -> Iterator[ast.AST]:
    """Yield the loop statements around a node."""
    return (n for n in module.ancestors(node) if isinstance(n, ast.For | ast.While))


def names_of(module: Module, function: FunctionNode) -> Iterator[str]:
    """List the names that a transformed version of a function is assigned to."""
    for item in applied(module):
        statement = module.statement(item.node)
        if item.function is function and isinstance(statement, ast.Assign):
            for target in statement.targets:
                yield (path_of(target) or "").rpartition(".")[2]


def mutated_static(spot: ObservedLocation[MutatedStatic]) -> Finding | None:
    """An attribute of a static argument that a compiled function reads, and that changed."""
    module, function = spot.module, spot.observed_function
    if function is None:
        return None
    name = spot.seen.name
    jits = [a for a in applied(module) if a.kind == "jit" and a.function is function]
    if len(jits) != 1 or not _reads(function, name, static_names(jits[0])):
        return None
    return finding(module, place_of(jits[0]), {"name": name, "function": name_of(function)})


def mutated_bound(spot: ObservedLocation[MutatedBound]) -> Finding | None:
    """An attribute that a compiled method reads from the object that it was taken from."""
    module, function = spot.module, spot.observed_function
    if function is None:
        return None
    name = spot.seen.name
    class_ = module.parents.get(function)
    if not isinstance(class_, ast.ClassDef) or not any(
        _reads(f, name, _receiver(f)) for f in _methods_used(class_, function)
    ):
        return None
    jits = [a for a in applied(module) if a.kind == "jit" and _is_of(a, function)]
    stores = [n for n in module.nodes if isinstance(n, ast.Assign | ast.AugAssign)]
    changes = [s for s in stores if _stores_attribute(s, name) and not is_start(module, s)]
    if len(jits) > 1 or not any(_is_used_later(module, function, c) for c in changes):
        return None
    place = place_of(jits[0]) if jits else definition_place(module, function)
    return finding(module, place, {"name": name, "function": name_of(function)})


def stale_attribute(spot: ObservedLocation[StaleAttribute]) -> StaleRead | None:
    """An attribute of a global object that a compiled function reads, and that changed."""
    module, function = spot.module, spot.observed_function
    if function is None:
        return None
    name = spot.seen.name
    given = {a.arg for a in parameters(function)}
    nodes = [n for n in ast.walk(function) if isinstance(n, ast.Attribute) and n.attr == name]
    read = [n for n in nodes if isinstance(n.ctx, ast.Load) and isinstance(n.value, ast.Name)]
    read = [n for n in read if not _is_for_host(module, n)]
    owners = {n.value.id for n in read if isinstance(n.value, ast.Name)}
    stores = [n for n in module.nodes if isinstance(n, ast.Assign | ast.AugAssign)]
    changes = [s for s in stores if _stores_attribute(s, name) and not is_start(module, s)]
    later = [c for c in changes if _may_follow(module, c, function)]
    if len(owners) != 1 or owners & (given | {"self"}) or not all(map(_is_value(module), read)):
        return None
    if not any(_is_used_later(module, function, change) for change in later):
        return None
    facts = {"name": module.text(read[0]), "function": name_of(function)}
    return stale_read(module, module.statement(read[0]) or read[0], owners.pop(), facts)


def _is_for_host(module: Module, node: ast.AST) -> bool:
    """Return whether a node belongs to a call of a callback, which reads when it runs."""
    calls = (n for n in module.ancestors(node) if isinstance(n, ast.Call))
    return any((path_of(call.func) or "").endswith("callback") for call in calls)


def stale_item(spot: ObservedLocation[StaleItem]) -> StaleRead | None:
    """An entry of a global dict that a compiled function reads, and that changed."""
    module, function = spot.module, spot.observed_function
    if function is None:
        return None
    key = spot.seen.name
    entries = [n for n in module.nodes if isinstance(n, ast.Subscript) and _has_key(n, key)]
    inside = set(map(id, ast.walk(function)))
    given = {a.arg for a in parameters(function)}
    read = [n for n in entries if id(n) in inside and isinstance(n.ctx, ast.Load)]
    owners = {path_of(n.value) for n in read} - given
    stored = [n for n in entries if id(n) not in inside and isinstance(n.ctx, ast.Store)]
    changes = [module.statement(n) for n in stored if path_of(n.value) in owners]
    later = [c for c in changes if c is not None and _may_follow(module, c, function)]
    if len(owners) != 1 or not any(_is_used_later(module, function, c) for c in later):
        return None
    facts = {"name": module.text(read[0]), "function": name_of(function)}
    owner = path_of(read[0].value) or ""
    return stale_read(module, module.statement(read[0]) or read[0], owner, facts)


def _has_key(node: ast.Subscript, key: str) -> bool:
    is_name = isinstance(node.value, ast.Name)
    return is_name and isinstance(node.slice, ast.Constant) and node.slice.value == key


def _is_value(module: Module) -> Callable[[ast.Attribute], bool]:
    """Return a test of whether an attribute is read for its value, not for a shape or a method."""

    def is_value(node: ast.Attribute) -> bool:
        parent = module.parents.get(node)
        is_called = isinstance(parent, ast.Call) and parent.func is node
        is_shape = isinstance(parent, ast.Attribute) and parent.attr in _STATIC | {"append"}
        return not is_called and not is_shape

    return is_value


def _stores_attribute(statement: ast.Assign | ast.AugAssign, name: str) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    stored = (n for t in targets for n in ast.walk(t) if isinstance(n, ast.Attribute))
    return any(n.attr == name and isinstance(n.ctx, ast.Store) for n in stored)


def is_start(module: Module, statement: ast.stmt) -> bool:
    """Return whether a statement belongs to a method that sets an object up."""
    return name_of(module.function(statement)) in ("__init__", "__post_init__", "setup", "reset")


def _is_of(item: AppliedTransform, function: FunctionNode) -> bool:
    return item.function is function and not item.is_decorator


def _methods_used(class_: ast.ClassDef, function: FunctionNode) -> Iterator[FunctionNode]:
    """Yield a method and the methods that it calls on its own object."""
    own = _receiver(function)
    nodes = [n for n in ast.walk(function) if isinstance(n, ast.Attribute)]
    called = {n.attr for n in nodes if path_of(n.value) in own}
    yield function
    for item in class_.body:
        if isinstance(item, Definition) and item.name in called:
            yield item


def _receiver(function: FunctionNode) -> set[str]:
    """Return the name by which a method knows its object."""
    return {a.arg for a in parameters(function)[:1]}


def _reads(function: FunctionNode, name: str, owners: set[str]) -> bool:
    """Return whether a function reads an attribute of one of some objects."""
    return any(
        isinstance(n, ast.Attribute)
        and n.attr == name
        and isinstance(n.ctx, ast.Load)
        and path_of(n.value) in owners
        for n in ast.walk(function)
    )


RULES = (
    Rule(
        "mutated-static-self",
        observed((MutatedStatic, mutated_static), (MutatedBound, mutated_bound)),
    ),
)
