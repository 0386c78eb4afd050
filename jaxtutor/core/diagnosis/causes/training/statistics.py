"""Finds collections of a linen module that are stored one level too deep."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import ExpressionFinding
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import name_of, resolve
from jaxtutor.core.diagnosis.observed.state import names_of
from jaxtutor.core.diagnosis.reading.calls import argument_for, calls_to, keyword_value
from jaxtutor.core.diagnosis.reading.functions import parameter_names, result_of
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.values import option_strings


class StoredTooDeep(ExpressionFinding, frozen=True, kw_only=True):
    """A dict of collections that is stored as one of them, `collection`."""

    collection: str


def read_statistics(module: Module) -> Iterator[StoredTooDeep]:
    """Yield each dict of changed collections that is stored as one of the collections in it.

    `state.replace(batch_stats=updates)`, for example, where `updates` is what
    `apply(…, mutable=["batch_stats"])` returns beside the output.
    """
    if not any(path.startswith("flax") for path in module.imports.values()):
        return
    stored = ((n, v) for n, v in _stored_in(module.tree) if isinstance(v, ast.Name))
    nested = ((n, v) for n, v in stored if n in _collections(module, v))
    for name, value in (*nested, *_returned(module)):
        facts = {"name": name, "argument": value.id}
        yield StoredTooDeep(None, facts, "nested", module=module, node=value, collection=name)


def _returned(module: Module) -> Iterator[tuple[str, ast.Name]]:
    """Yield each whole dict that a step returns, and is given again as one of its collections."""
    for step in module.functions:
        result = result_of(step)
        parts = result.elts if isinstance(result, ast.Tuple) else []
        for position, part in enumerate(parts):
            for name in _collections(module, part) if isinstance(part, ast.Name) else ():
                if isinstance(part, ast.Name) and _comes_back(module, step, position, name):
                    yield name, part


def _comes_back(module: Module, step: FunctionNode, position: int, name: str) -> bool:
    """Return whether a part of a step's result is passed to it as a collection of variables."""
    given = set(parameter_names(step))
    stored = [v.id for n, v in _stored_in(step) if n == name and isinstance(v, ast.Name)]
    names = {name_of(step), *names_of(module, step)} - {""}
    for call in (c for called in names for c in calls_to(module, called)):
        statement = module.statement(call)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(target, ast.Tuple) or len(target.elts) <= position:
            continue
        for parameter in given.intersection(stored):
            passed = path_of(argument_for(step, call, parameter))
            if passed is not None and passed == path_of(target.elts[position]):
                return True
    return False


def _stored_in(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield what some code stores under a name: a keyword argument, or an item of a dict."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg is not None:
            yield node.arg, node.value
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value


def _collections(module: Module, name: ast.Name) -> set[str]:
    """Return the collections in the dict that a name is bound to; empty for any other value."""
    bound = module.assignments(name.id, module.scope(name))
    if len(bound) != 1 or not isinstance(bound[0], ast.Assign):
        return set()
    target, call = bound[0].targets[0], bound[0].value
    if not isinstance(target, ast.Tuple) or not isinstance(call, ast.Call):
        return set()
    if path_of(target.elts[-1]) == name.id and len(target.elts) == 2:
        return _changed_by(call)
    loss = loss_with_aux(module, call.func, call)
    result = result_of(loss) if loss is not None else None
    source = counterpart(target.elts[0], result, name.id) if result is not None else None
    return _collections(module, source) if isinstance(source, ast.Name) else set()


def _changed_by(call: ast.Call) -> set[str]:
    """Return the collections that `apply` returns beside its output."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("apply", "apply_fn"):
        return set()
    return set(option_strings(keyword_value(call, "mutable")))


def loss_with_aux(module: Module, func: ast.expr, where: ast.AST) -> FunctionNode | None:
    """Return the function of `jax.value_and_grad(f, has_aux=True)`, or of a name for it."""
    made = bound_value(module, func)
    if not isinstance(made, ast.Call) or not made.args or keyword_value(made, "has_aux") is None:
        return None
    is_gradient = (module.dotted(made.func) or "").endswith("value_and_grad")
    return resolve(module, made.args[0], where) if is_gradient else None


def counterpart(target: ast.expr, result: ast.expr, name: str) -> ast.expr | None:
    """Return the part of a result that is bound to a name: `b` for `y` in `x, y = a, b`."""
    if path_of(target) == name:
        return result
    if not isinstance(target, ast.Tuple) or not isinstance(result, ast.Tuple):
        return None
    if len(target.elts) != len(result.elts):
        return None
    pairs = zip(target.elts, result.elts, strict=True)
    found = (counterpart(part, value, name) for part, value in pairs)
    return next((one for one in found if one is not None), None)


def take_collection(found: StoredTooDeep) -> Drafts:
    """Write `updates["batch_stats"]` for `updates`."""
    yield Draft(found.module).certain().after(found.node, f'["{found.collection}"]')
