"""Finds transformations of gradients that come after the optimizer in `optax.chain`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.training.signs import DESCENDING
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.names import bound_value

_OF_GRADIENTS = {
    "clip_by_global_norm": "clip",
    "adaptive_grad_clip": "clip",
    "add_decayed_weights": "decay",
}
"""Transformations that belong before the optimizer, and the form of the cause for each."""


class LateInChain(Finding, frozen=True, kw_only=True):
    """A part of a chain that belongs before its optimizer."""

    chain: ast.Call
    optimizer: ast.expr
    late: ast.expr


def read_chains(module: Module) -> Iterator[LateInChain]:
    """Yield each clipping or weight decay that gets the finished step in place of the gradient."""
    for call in module.calls:
        pair = _out_of_order(module, call)
        if pair is not None:
            optimizer, late = pair
            yield LateInChain(
                module=module,
                node=late,
                facts={"name": _short(module, late), "function": _short(module, optimizer)},
                form=_OF_GRADIENTS[optax_function(module, late)],
                chain=call,
                optimizer=optimizer,
                late=late,
            )


def _out_of_order(module: Module, call: ast.Call) -> tuple[ast.expr, ast.expr] | None:
    """Return an optimizer and what follows it in a chain, though it belongs before it."""
    if module.dotted(call.func) != "optax.chain":
        return None
    optimizer: ast.expr | None = None
    scaling: ast.expr | None = None
    for part in call.args:
        name = optax_function(module, part)
        if optimizer is not None and name in _OF_GRADIENTS and not _is_negative(module, part):
            return (optimizer if _OF_GRADIENTS[name] == "decay" else scaling or optimizer), part
        if name in DESCENDING or name == "scale_by_learning_rate":
            optimizer = part
        if scaling is None and (part is optimizer or name.startswith("scale_by_")):
            scaling = part
    return None


def optax_function(module: Module, node: ast.expr) -> str:
    """Return the name of the function of optax whose result an expression is."""
    made = bound_value(module, node)
    path = (module.dotted(made.func) or "") if isinstance(made, ast.Call) else ""
    return path.removeprefix("optax.") if path.startswith("optax.") else ""


def _is_negative(module: Module, node: ast.expr) -> bool:
    """Return whether a decay has the sign of a step down already."""
    made = bound_value(module, node)
    rate = argument(made, 0, "weight_decay") if isinstance(made, ast.Call) else None
    return any(isinstance(n, ast.USub) for n in ast.walk(rate)) if rate is not None else False


def _short(module: Module, node: ast.expr) -> str:
    return f"optax.{optax_function(module, node)}"


def put_first(found: LateInChain) -> Drafts:
    """Move what belongs before the optimizer to the place before it."""
    parts, draft = found.chain.args, Draft(found.module)
    first, last = parts.index(found.optimizer), parts.index(found.late)
    moved = [found.late, *parts[first:last]]
    for place, part in zip(parts[first : last + 1], moved, strict=True):
        draft.replace(place, found.module.text(part))
    yield draft


RULES = (Rule("optax-chain-order", read(read_chains, imports=TRAINING), put_first),)
