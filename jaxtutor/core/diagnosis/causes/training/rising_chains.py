"""Finds chains of Optax that never turn the gradient round, so that the loss rises."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.training.chains import optax_function
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, names_in
from jaxtutor.core.diagnosis.engine.transforms import applied
from jaxtutor.core.diagnosis.reading.calls import argument, passed_arguments
from jaxtutor.core.diagnosis.reading.functions import result_of
from jaxtutor.core.diagnosis.reading.names import bound_value, last_name

_KEEPING = frozenset(
    """clip clip_by_global_norm clip_by_block_rms adaptive_grad_clip centralize
    add_decayed_weights add_noise trace ema identity zero_nans""".split()
)
_ADDING = ("optax.apply_updates", "equinox.apply_updates", ".apply_gradients", "nnx.Optimizer")


class RisingChain(Finding, frozen=True, kw_only=True):
    """A chain that keeps the sign; `turned` is its last part with the minus of a step down."""

    last: ast.expr
    turned: str


def read_rising_chains(module: Module) -> Iterator[RisingChain]:
    """Yield each `optax.chain` whose parts all keep the sign, where a loss is trained with it."""
    chains = [n for n in module.calls if _is_rising(module, n)]
    if len(chains) != 1 or not _trains_a_loss(module) or _turns_elsewhere(module):
        return
    last = chains[0].args[-1]
    turned = _descending_text(module, last)
    facts = {"argument": module.text(last), "name": turned}
    yield RisingChain(None, facts, "chain", module=module, node=chains[0], last=last, turned=turned)


def _is_rising(module: Module, call: ast.Call) -> bool:
    """Return whether a chain scales gradients, and none of its parts changes their sign."""
    if module.dotted(call.func) != "optax.chain" or not call.args:
        return False
    names = [optax_function(module, part) for part in call.args]
    is_scaled = any(name.startswith("scale") for name in names)
    return is_scaled and all(
        _keeps_sign(module, part, name) for part, name in zip(call.args, names, strict=True)
    )


def _keeps_sign(module: Module, part: ast.expr, name: str) -> bool:
    """Return whether a part of a chain is known to keep the sign of what it gets."""
    made = bound_value(module, part)
    if not isinstance(made, ast.Call):
        return False
    if name == "scale":
        return _is_positive(module, argument(made, 0, "step_size"))
    if name == "scale_by_schedule":
        schedule = argument(made, 0, "step_size_fn")
        built = bound_value(module, schedule) if schedule is not None else None
        path = (module.dotted(built.func) or "") if isinstance(built, ast.Call) else ""
        given = passed_arguments(built) if isinstance(built, ast.Call) else []
        is_known = path.startswith("optax.") and path.endswith("schedule")
        return is_known and not any(isinstance(n, ast.USub) for g in given for n in ast.walk(g))
    return name in _KEEPING or (name.startswith("scale_by_") and name != "scale_by_learning_rate")


def _is_positive(module: Module, node: ast.expr | None) -> bool:
    value = bound_value(module, node) if node is not None else None
    number = value.value if isinstance(value, ast.Constant) else None
    return isinstance(number, int | float) and number > 0


def _trains_a_loss(module: Module) -> bool:
    """Return whether everything that is differentiated computes something to make small."""
    functions = [a.function for a in applied(module) if a.kind in ("grad", "value_and_grad")]
    adds = any((module.dotted(n) or "").endswith(_ADDING) for n in module.nodes)
    return adds and bool(functions) and all(_is_loss(module, f) for f in functions)


def _is_loss(module: Module, function: FunctionNode | None) -> bool:
    """Return whether a function returns a mean or sum of squares, or a loss of Optax."""
    result = result_of(function) if function is not None else None
    value = result.elts[0] if isinstance(result, ast.Tuple) and result.elts else result
    return value is not None and _is_error(module, value)


def _is_error(module: Module, node: ast.expr) -> bool:
    match bound_value(module, node):
        case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=2)):
            return True
        case ast.BinOp(left=left, op=ast.Add() | ast.Mult() | ast.Div(), right=right):
            return _is_error(module, left) or _is_error(module, right)
        case ast.Call(func=func, args=args):
            path = module.dotted(func) or ""
            inner = func.value if isinstance(func, ast.Attribute) and not path else None
            first = args[0] if args and path.startswith("jax.numpy.") else inner
            return path.endswith(_ERRORS) or (first is not None and _is_error(module, first))
    return False


_ERRORS = (
    ".numpy.square", ".squared_error", ".l2_loss", ".huber_loss", ".softmax_cross_entropy",
    ".softmax_cross_entropy_with_integer_labels", ".sigmoid_binary_cross_entropy",
)  # fmt: skip


def _turns_elsewhere(module: Module) -> bool:
    """Return whether the file negates or subtracts what an update may be."""
    moved = _update_names(module)
    for node in module.nodes:
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(
                operand, ast.Constant
            ):
                if names_in(operand) & moved or any(
                    isinstance(outer, ast.Lambda) for outer in module.ancestors(node)
                ):
                    return True
            case ast.BinOp(op=ast.Sub(), right=right) if names_in(right) & moved:
                return True
    return any((module.dotted(n) or "").endswith(".negative") for n in module.nodes)


def _update_names(module: Module) -> set[str]:
    """List the names that hold gradients, or what `update` returned for them."""
    found = set[str]()
    for node in module.nodes:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        called = last_name(node.value.func)
        if called == "update" or isinstance(node.value.func, ast.Call):
            found |= {n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    return found


def _descending_text(module: Module, last: ast.expr) -> str:
    """Write the last part of a chain with the minus of a step down."""
    made = bound_value(module, last)
    if last is made and isinstance(made, ast.Call):
        name, given = optax_function(module, last), argument(made, 0, "step_size", "step_size_fn")
        home = module.text(made.func).rpartition(".")[0]
        if name == "scale_by_schedule" and given is not None and home:
            return f"{home}.scale_by_learning_rate({module.text(given)})"
        if name == "scale" and isinstance(given, ast.Constant):
            return f"{module.text(made.func)}(-{module.text(given)})"
    return f"{module.text(last)}, optax.scale(-1.0)"


def turn_chain(found: RisingChain) -> Drafts:
    """Let the last part of the chain turn the gradient into a step down."""
    if "optax" in found.module.imports.values():
        yield Draft(found.module).replace(found.last, found.turned)
