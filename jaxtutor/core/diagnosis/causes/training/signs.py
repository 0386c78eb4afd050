"""Finds updates of Optax that are subtracted, and gradients that are added in their place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import ExpressionFinding, Finding
from jaxtutor.core.diagnosis.engine.source import Module, names_in, path_of
from jaxtutor.core.diagnosis.engine.transforms import applied, resolve, transformation
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.names import all_names, bound_value, last_part

# Optimizers whose updates already have the sign of a descent. Those of `optax.scale_by_…` do not.
DESCENDING = frozenset(
    """adabelief adadelta adafactor adagrad adam adamax adamaxw adamw adan amsgrad fromage lamb lars
    lion nadam nadamw noisy_sgd novograd optimistic_gradient_descent radam rmsprop rprop sgd
    sign_sgd sm3 yogi""".split()
)
_ADDING = ("optax.apply_updates", "equinox.apply_updates")
_TREE_MAPS = ("jax.tree.map", "jax.tree_util.tree_map")


class Subtracted(Finding, frozen=True, kw_only=True):
    """Updates that are subtracted from what they update."""

    node: ast.BinOp


class GradientAdded(ExpressionFinding, frozen=True, kw_only=True):
    """A gradient that is added in the place of the updates."""


def read_signs(module: Module) -> Iterator[Subtracted | GradientAdded]:
    """Yield each step that goes up the loss, in a file all of whose optimizers descend."""
    if not descends(module):
        return
    for node in module.nodes:
        step = _subtraction(module, node)
        if step is not None:
            facts = {"name": module.text(step.left), "argument": module.text(step.right)}
            yield Subtracted(module=module, node=step, facts=facts)
        given = _gradient_added(module, node)
        if given is not None:
            call = module.parents.get(given)
            func = module.text(call.func) if isinstance(call, ast.Call) else "apply_updates"
            facts = {"argument": module.text(given), "function": func}
            yield GradientAdded(None, facts, "gradient", module=module, node=given)


def descends(module: Module) -> bool:
    """Return whether a file builds Optax optimizers, and no `scale…`, which keeps the sign."""
    paths = [module.dotted(n) or "" for n in module.nodes if isinstance(n, ast.Attribute)]
    names = {last_part(p) for p in [*paths, *module.imports.values()] if "optax" in p}
    return bool(names & DESCENDING) and not any(name.startswith("scale") for name in names)


def _is_updates(module: Module, node: ast.expr) -> bool:
    """Return whether a name is the first of the two values that `update` returned."""
    if not isinstance(node, ast.Name):
        return False
    bound = module.assignments(node.id, module.scope(node))
    return bool(bound) and all(_takes_updates(s, node.id) for s in bound)


def _takes_updates(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Assign(
            targets=[ast.Tuple(elts=[ast.Name(id=first), _])],
            value=ast.Call(func=ast.Attribute(attr="update"), args=given),
        ):
            return first == name and len(given) >= 2
    return False


def _subtraction(module: Module, node: ast.AST) -> ast.BinOp | None:
    """Return the difference of parameters and their updates that a node computes."""
    match node:
        case ast.BinOp(op=ast.Sub(), right=right) if _is_updates(module, right):
            return node
        case ast.Call(args=[ast.Lambda(body=ast.BinOp(op=ast.Sub()) as step) as each, *trees]):
            if module.dotted(node.func) not in _TREE_MAPS:
                return None
            given = parameter_names(each)
            moved = [n for n, t in zip(given, trees, strict=False) if _is_updates(module, t)]
            is_plain = not any(isinstance(n, ast.UnaryOp) for n in ast.walk(step.right))
            is_step = path_of(step.left) in set(given) - set(moved)
            return step if is_step and is_plain and set(moved) & names_in(step.right) else None
    return None


def _gradient_added(module: Module, node: ast.AST) -> ast.expr | None:
    """Return the gradient that `apply_updates` of Optax or Equinox adds to the parameters."""
    if not isinstance(node, ast.Call) or module.dotted(node.func) not in _ADDING:
        return None
    given = argument(node, 1, "updates")
    if not isinstance(given, ast.Name):
        return None
    bound = module.assignments(given.id, module.scope(given))
    is_gradient = [_takes_gradient(module, s, given.id) for s in bound]
    return given if is_gradient and all(is_gradient) else None


def _takes_gradient(module: Module, statement: ast.stmt, name: str) -> bool:
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return False
    target, kind = statement.targets[0], _gradient(module, statement.value.func)
    if isinstance(target, ast.Tuple):
        last = target.elts[-1]
        return kind == "value_and_grad" and isinstance(last, ast.Name) and last.id == name
    return kind == "grad"


def _gradient(module: Module, func: ast.expr) -> str | None:
    """Name the transformation that made a function, if it is a gradient; `jit` is looked into."""
    made = bound_value(module, func)
    if not isinstance(made, ast.Call):
        function = resolve(module, func, func)
        kinds = [i.kind for i in applied(module) if i.is_decorator and i.function is function]
        return kinds[-1] if function is not None and kinds else None
    kind = transformation(module, made.func)
    return _gradient(module, made.args[0]) if kind == "jit" and made.args else kind


def add_step(found: Subtracted) -> Drafts:
    """Add the updates."""
    module, step = found.module, found.node
    yield Draft(module).replace(step, f"{module.text(step.left)} + {module.text(step.right)}")


def add_updates(found: GradientAdded) -> Drafts:
    """Add the updates in the place of the gradient."""
    module, node = found.module, found.node
    names = all_names(module.scope(node))
    updates = [name for name in sorted(names) if _is_bound_to_updates(module, node, name)]
    if len(updates) == 1:
        reads = [n for n in ast.walk(module.scope(node)) if path_of(n) == updates[0]]
        draft = Draft(module).replace(node, updates[0])
        yield draft.certain() if len(reads) == 1 else draft


def _is_bound_to_updates(module: Module, node: ast.AST, name: str) -> bool:
    bound = module.assignments(name, module.scope(node))
    return bool(bound) and all(_takes_updates(statement, name) for statement in bound)
