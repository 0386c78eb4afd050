"""Finds gradients that are applied to another argument, or that miss the argument they are of."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from jaxtutor.core.data.observations import IndependentResult, ZeroGradient
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, observed, read
from jaxtutor.core.diagnosis.engine.source import (
    FunctionNode,
    Module,
    bound_names,
    names_in,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, applied, name_of
from jaxtutor.core.diagnosis.observed.gradients import (
    BlockedGradient,
    independent_result,
    zero_gradient,
)
from jaxtutor.core.diagnosis.observed.state import names_of
from jaxtutor.core.diagnosis.reading.calls import argument_for
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters
from jaxtutor.core.diagnosis.reading.names import all_names, last_name
from jaxtutor.core.diagnosis.reading.patterns import first_match

_GRADS = ("jax.grad", "jax.value_and_grad", "equinox.filter_grad", "equinox.filter_value_and_grad")


class GradientOfInput(Finding, frozen=True, kw_only=True):
    """A gradient of one argument that moves the one at `position`; `made` makes the function."""

    made: ast.Call | None
    position: int


class ReadOutside(Finding, frozen=True, kw_only=True):
    """A loss that reads values from outside, `reads`, in the place of its argument."""

    reads: tuple[ast.Name, ...]
    argument: str


def gradient_of_input(
    module: Module, statement: ast.Assign | ast.AugAssign
) -> Iterator[GradientOfInput]:
    """`w = w - lr * jax.grad(loss)(x, w)`: the gradient is of x, and it moves w."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    name, step = path_of(target), _subtracted(statement)
    if name is None or step is None:
        return
    for call in _gradients_in(module, step, statement):
        given = [path_of(a) for a in call.args]
        if name in given[1:] and given[0] != name:
            first = module.text(call.args[0])
            facts = {"name": name, "argument": name, "container": first}
            made = _made_gradient(module, call.func, statement)
            yield GradientOfInput(
                module=module,
                node=made or call.func,
                facts=facts,
                made=made,
                position=given.index(name),
            )


def add_argnums(found: GradientOfInput) -> Drafts:
    """Differentiate with respect to the argument that the gradient moves."""
    if found.made is not None:
        yield Draft(found.module).after(found.made.args[-1], f", argnums={found.position}")


def gradient_of_unused(module: Module) -> Iterator[ReadOutside]:
    """`jax.grad(loss)(params)`, where `loss` reads `params` from outside and not its argument."""
    for item in applied(module):
        name = differentiated_name(item)
        function = item.function
        if function is None or not name or name in names_in(function) or _has_rule(function):
            continue
        bound = {n for node in own_nodes(function) for n in bound_names(node)}
        given = set(parameter_names(function))
        passed = set(_names_passed(module, item, name)) - bound - given
        reads = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id in passed]
        reads = [n for n in reads if isinstance(n.ctx, ast.Load)]
        if reads:
            owner = "the function" if isinstance(function, ast.Lambda) else function.name
            facts = {"name": reads[0].id, "argument": name, "function": owner}
            same = tuple(n for n in reads if n.id == reads[0].id)
            yield ReadOutside(
                None, facts, "outside", module=module, node=reads[0], reads=same, argument=name
            )


def differentiated_name(item: AppliedTransform) -> str:
    """Return the parameter with respect to which a gradient is taken; empty where not known."""
    if item.kind not in ("grad", "value_and_grad"):
        return ""
    numbers = item.option("argnums")
    if numbers is None and item.call is not None and len(item.call.args) > 1:
        numbers = item.call.args[1]
    position = 0 if numbers is None else getattr(numbers, "value", None)
    names = [a.arg for a in parameters(item.function) if a.arg != "self"]
    return names[position] if isinstance(position, int) and 0 <= position < len(names) else ""


def _has_rule(function: FunctionNode) -> bool:
    """Return whether a function may have a gradient of its own, or sees its argument by a trick."""
    words = all_names(function)
    words |= {n.attr for n in ast.walk(function) if isinstance(n, ast.Attribute)}
    return bool(words & {"custom_vjp", "custom_jvp", "custom_gradient", "locals"})


def _names_passed(module: Module, item: AppliedTransform, name: str) -> Iterator[str]:
    """Yield the names that calls of a gradient are given for a parameter."""
    function = item.function
    assert function is not None
    known = {name_of(function)} if item.is_decorator else set(names_of(module, function))
    for call in module.calls:
        called = last_name(call.func)
        if call.func is item.node or (called and called in known):
            given = argument_for(function, call, name)
            if isinstance(given, ast.Name):
                yield given.id


def _subtracted(statement: ast.Assign | ast.AugAssign) -> ast.expr | None:
    """Return what a statement subtracts from its own target."""
    match statement:
        case ast.AugAssign(op=ast.Sub(), value=value):
            return value
        case ast.Assign(targets=[target], value=ast.BinOp(left=left, op=ast.Sub(), right=right)):
            same = path_of(target) is not None and path_of(left) == path_of(target)
            return right if same else None
    return None


def _gradients_in(module: Module, step: ast.expr, where: ast.stmt) -> Iterator[ast.Call]:
    """List the calls of a gradient of argument 0 that an expression is computed from."""
    for node in ast.walk(step):
        if isinstance(node, ast.Call) and _makes_gradient(module, node.func, where):
            yield node
        elif isinstance(node, ast.Name):
            bound = module.assignments(node.id, module.scope(where))
            before = [s for s in bound if s.lineno < where.lineno and isinstance(s, ast.Assign)]
            value = before[-1].value if before and isinstance(before[-1], ast.Assign) else None
            if isinstance(value, ast.Call) and _makes_gradient(module, value.func, where):
                yield value


def _makes_gradient(module: Module, func: ast.expr, where: ast.AST) -> bool:
    """Return whether a callee is `jax.grad(f)` without argnums, or a name for it."""
    return _made_gradient(module, func, where) is not None


def _made_gradient(module: Module, func: ast.expr, where: ast.AST) -> ast.Call | None:
    """Return the `jax.grad(f)` without argnums that a callee is, or that its name is bound to."""
    if isinstance(func, ast.Call):
        return _gradient_of(module, func)
    if not isinstance(func, ast.Name):
        return None
    bound = [
        s.value
        for scope in {module.scope(where), module.tree}
        for s in module.assignments(func.id, scope)
        if isinstance(s, ast.Assign)
    ]
    one = bound[0] if len(bound) == 1 else None
    return _gradient_of(module, one) if isinstance(one, ast.Call) else None


def _gradient_of(module: Module, call: ast.Call) -> ast.Call | None:
    """Return the call that makes a gradient, also inside `jax.jit(…)`."""
    if module.dotted(call.func) == "jax.jit" and call.args and isinstance(call.args[0], ast.Call):
        call = call.args[0]
    has_argnums = len(call.args) > 1 or any(k.arg == "argnums" for k in call.keywords)
    return call if module.dotted(call.func) in _GRADS and not has_argnums else None


_ROUNDING = tuple(f"jnp.{name}($smooth)" for name in ("round", "rint", "floor", "ceil", "sign"))


def _straight_through(module: Module, node: ast.AST) -> Draft | None:
    """Keep the value of a rounding or of a sample of 0 and 1, and pass the gradient through."""
    found = first_match(module, node, *_ROUNDING, "jax.random.bernoulli($key, $smooth, ...)")
    if found is None:
        return None
    smooth = found["smooth"]
    whole: ast.AST = node
    outer = module.parents.get(node)
    conversion = module.parents.get(outer) if isinstance(outer, ast.Attribute) else None
    if isinstance(outer, ast.Attribute) and outer.attr == "astype" and conversion is not None:
        whole = conversion
    draft, value = Draft(module), atom(module, smooth)
    stop = draft.name("jax.lax.stop_gradient")
    text = f"{value} + {stop}({module.text(whole)} - {value})"
    is_part = isinstance(module.parents.get(whole), ast.BinOp | ast.UnaryOp | ast.Attribute)
    return draft.replace(whole, f"({text})" if is_part else text)


def let_gradient_pass(found: Finding) -> Drafts:
    """Leave the operation out that stops the gradient, or pass the gradient through it."""
    if not isinstance(found, BlockedGradient):
        return
    module = found.module
    if found.stopped is not None:
        yield Draft(module).replace(found.node, atom(module, found.stopped))
    yield _straight_through(module, found.node)


def use_argument(found: ReadOutside) -> Drafts:
    """Read the argument in the place of the value from outside."""
    draft = Draft(found.module)
    for read_ in found.reads:
        draft.replace(read_, found.argument)
    yield draft


def is_read_from_outside(found: Finding, others: Sequence[tuple[str, Finding]]) -> bool:
    """Return whether the source shows that a function reads a value in its argument's place."""
    owners = (found.facts.get("function"), "the function")
    return not isinstance(found, BlockedGradient) and any(
        isinstance(other, ReadOutside) and other.facts["function"] in owners for _, other in others
    )


RULES = (
    Rule(
        "zero-gradient",
        observed((ZeroGradient, zero_gradient), (IndependentResult, independent_result)),
        let_gradient_pass,
        is_echo=is_read_from_outside,
    ),
    Rule("zero-gradient", read(gradient_of_unused, imports=TRAINING), use_argument),
)
