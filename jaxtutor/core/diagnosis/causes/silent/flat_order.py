"""Finds values of a dict as written, beside or in the place of its leaves in sorted order."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import Rule, at_each, by_match, read
from jaxtutor.core.diagnosis.engine.source import Definition, Module, names_in, path_of
from jaxtutor.core.diagnosis.engine.transforms import transformation
from jaxtutor.core.diagnosis.reading.calls import argument_for, calls_to, method_of, method_owner
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters, result_of
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.patterns import first_match

_LEAVES = ("tree.leaves", "tree_leaves", "tree.flatten", "tree_flatten")
_MAPS = ("jax.tree.map", "jax.tree_util.tree_map")
_VIEWS = ("keys", "items", "values")


class UnsortedEntries(Finding, frozen=True, kw_only=True):
    """A `zip` of leaves with `entries` of a dict: its keys, items or values."""

    entries: ast.expr


def reordered(module: Module, node: ast.AST) -> Iterator[UnsortedEntries]:
    """`zip(d, jax.tree.leaves(d))` puts leaves in sorted order beside keys in written order."""
    for entries, leaves in _zipped_pairs(node):
        name = path_of(_viewed_dict(entries))
        if name is None or not is_unsorted(module, name, node):
            continue
        if any(_takes_leaves(module, n, name) for n in _sources_of(module, leaves)):
            facts = {"name": name}
            yield UnsortedEntries(module=module, node=node, facts=facts, entries=entries)
            return


def _zipped_pairs(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the first two arguments of `zip`, in both orders."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "zip" and len(node.args) > 1:
        first, second = node.args[:2]
        yield first, second
        yield second, first


def _viewed_dict(node: ast.expr) -> ast.expr:
    """Return `d` for `d.keys()` or `d.items()`, and other expressions as they are."""
    return method_owner(node, *_VIEWS) or node


def is_unsorted(module: Module, name: str, where: ast.AST) -> bool:
    """Return whether a name is bound to a dict whose keys are written out of order."""
    bound = [*module.assignments(name, module.scope(where)), *module.assignments(name, module.tree)]
    for value in (s.value for s in bound if isinstance(s, ast.Assign)):
        made = _made_by(module, value)
        if isinstance(made, ast.Dict):
            keys = [k.value for k in made.keys if isinstance(k, ast.Constant)]
            texts = [k for k in keys if isinstance(k, str)]
            return len(texts) == len(made.keys) and texts != sorted(texts)
    return False


def _made_by(module: Module, value: ast.expr) -> ast.expr | None:
    """Return what a call of one of the file's functions returns, and other values as they are."""
    name = path_of(value.func) if isinstance(value, ast.Call) else None
    function = module.function_named(name) if name is not None else None
    return result_of(function) if function is not None else value


def _sources_of(module: Module, node: ast.expr) -> Iterator[ast.AST]:
    """Walk an expression, and what was bound to the names in it."""
    yield from ast.walk(node)
    for name in names_in(node):
        for statement in module.assignments(name, module.scope(node)):
            yield from ast.walk(statement)


def _takes_leaves(module: Module, node: ast.AST | None, name: str) -> bool:
    """Return whether a node takes the leaves of a tree, or of a gradient by it, apart."""
    if not isinstance(node, ast.Call) or not node.args:
        return False
    if (module.dotted(node.func) or "").endswith(_LEAVES):
        return _is_like(module, node.args[0], name)
    function = module.function_named(path_of(node.func) or "")
    if function is None:
        return False
    given = {a.arg: path_of(argument_for(function, node, a.arg)) for a in parameters(function)}
    inside = [inner for inner, outer in given.items() if outer == name]
    result = result_of(function)
    is_call = isinstance(result, ast.Call) and (module.dotted(result.func) or "").endswith(_LEAVES)
    return is_call and any(_takes_leaves(module, result, inner) for inner in inside)


def _is_like(module: Module, tree: ast.expr, name: str) -> bool:
    """Return whether a tree is the named one, or has its structure: a gradient, or a map of it."""
    if path_of(tree) == name:
        return True
    made = bound_value(module, tree)
    if not isinstance(made, ast.Call) or name not in map(path_of, made.args):
        return False
    maker = bound_value(module, made.func)
    kind = transformation(module, maker.func) if isinstance(maker, ast.Call) else ""
    return kind == "grad" or module.dotted(made.func) in _MAPS


def sort_keys(found: UnsortedEntries) -> Drafts:
    """Pair leaves with sorted keys, which is the order that they come in."""
    if method_of(found.entries) != "values":
        yield Draft(found.module).wrap(found.entries, "sorted(", ")")


_JOINED = tuple(
    f"jnp.{join}({parts})"
    for join in ("concatenate", "hstack")
    for parts in ("[$part for $x in $parts]", "($part for $x in $parts)")
)
_UNFLATTENING = ("jax.tree.unflatten", "jax.tree_util.tree_unflatten")


class JoinedValues(Finding, frozen=True, kw_only=True):
    """The values of `tree` that are joined in the order of writing."""

    tree: ast.expr


def read_flat_orders(module: Module) -> Iterator[JoinedValues]:
    """Yield each `jnp.concatenate` of `d.values()` in a file that unflattens slices of it."""
    if not any(module.dotted(c.func) in _UNFLATTENING for c in module.calls):
        return
    for call in module.calls:
        values = _joined_values(module, call)
        if values is None or not _cuts_again(module, call):
            continue
        tree = method_owner(values)
        name = path_of(tree)
        if tree is not None and name is not None and _is_written_unsorted(module, name, call):
            yield JoinedValues(None, {"name": name}, "flat", module=module, node=values, tree=tree)


def _joined_values(module: Module, call: ast.Call) -> ast.expr | None:
    """Return the `d.values()` whose raveled parts a call joins."""
    joined = first_match(module, call, *_JOINED)
    views = first_match(module, joined["parts"], "$tree.values()") if joined is not None else None
    return joined["parts"] if joined is not None and views is not None else None


def _cuts_again(module: Module, joined: ast.Call) -> bool:
    """Return whether another function cuts an array and unflattens the parts."""
    own = module.function(joined)
    for function in (f for f in module.functions if isinstance(f, Definition) and f is not own):
        nodes = list(ast.walk(function))
        paths = {module.dotted(n.func) for n in nodes if isinstance(n, ast.Call)}
        is_cut = any(isinstance(n, ast.Slice) for n in nodes)
        if paths & set(_UNFLATTENING) and is_cut:
            return True
    return False


def _is_written_unsorted(module: Module, name: str, call: ast.Call) -> bool:
    """Return whether a dict, or each that a function is given, has keys out of order."""
    function = module.function(call)
    if not isinstance(function, Definition) or name not in set(parameter_names(function)):
        return is_unsorted(module, name, call)
    calls = calls_to(module, function.name)
    uses = [call for call in calls if path_of(call.func) == function.name]  # not `jax.tree.flatten`
    given = [path_of(argument_for(function, use, name)) for use in uses]
    pairs = zip(given, uses, strict=True)
    return bool(uses) and all(p is not None and is_unsorted(module, p, u) for p, u in pairs)


def take_leaves(found: JoinedValues) -> Drafts:
    """Join the leaves of the tree in place of the values."""
    draft = Draft(found.module)
    leaves = draft.name("jax.tree.leaves")
    yield draft.replace(found.node, f"{leaves}({found.module.text(found.tree)})").certain()


RULES = (
    Rule(
        "dict-key-order",
        read(at_each(ast.Call, reordered), read_flat_orders),
        by_match(sort_keys, take_leaves),
    ),
)
