"""Finds flat arrays of a dict's values as written, which a tree takes apart in sorted order."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.silent.leaf_order import is_unsorted, reordered, sort_keys
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import Rule, at_each, by_match, read
from jaxtutor.core.diagnosis.engine.source import Definition, Module, path_of
from jaxtutor.core.diagnosis.reading.calls import argument_for, calls_to, method_owner
from jaxtutor.core.diagnosis.reading.functions import parameter_names

_JOINING = ("jax.numpy.concatenate", "jax.numpy.hstack")
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


def _joined_values(module: Module, call: ast.Call) -> ast.Call | None:
    """Return the `d.values()` whose raveled parts a call joins."""
    if module.dotted(call.func) not in _JOINING or len(call.args) != 1:
        return None
    match call.args[0]:
        case (
            ast.ListComp(generators=[ast.comprehension(iter=source, ifs=[])])
            | ast.GeneratorExp(generators=[ast.comprehension(iter=source, ifs=[])])
        ):
            is_view = isinstance(source, ast.Call) and not source.args
            func = source.func if isinstance(source, ast.Call) else None
            is_values = isinstance(func, ast.Attribute) and func.attr == "values"
            return source if is_view and is_values and isinstance(source, ast.Call) else None
    return None


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
