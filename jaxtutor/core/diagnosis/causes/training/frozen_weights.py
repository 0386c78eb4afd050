"""Finds `optax.masked` used to freeze weights: those outside the mask get their raw gradient."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.training.signs import DESCENDING
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import CallFinding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import resolve
from jaxtutor.core.diagnosis.reading.calls import argument, calls_of, calls_to
from jaxtutor.core.diagnosis.reading.names import bound_value, last_name

_OTHER_WAYS = frozenset(
    "set_to_zero freeze selective_transform multi_transform partition stop_gradient combine"
    " zeros_like filter_grad filter_value_and_grad".split()
)
"""Functions by which a program may freeze weights, or take no gradient of them."""


class MaskedOptimizer(CallFinding, frozen=True, kw_only=True):
    """The `optax.masked` that passes the gradients of the weights outside its mask on."""

    mask: ast.expr


def read_frozen(module: Module) -> Iterator[MaskedOptimizer]:
    """Yield the masked optimizer of a file that does nothing else about the other weights."""
    masked = list(calls_of(module, "optax.masked"))
    if len(masked) != 1 or any(last_name(n) in _OTHER_WAYS for n in module.nodes):
        return
    inner, mask = argument(masked[0], 0, "inner"), argument(masked[0], 1, "mask")
    if inner is None or mask is None or not _descends(module, inner):
        return
    if not _is_used_again(module, mask) and _is_optax_chain(module, masked[0]):
        facts = {"name": module.text(inner), "argument": module.text(mask)}
        yield MaskedOptimizer(module=module, node=masked[0], facts=facts, mask=mask)


def _descends(module: Module, node: ast.expr) -> bool:
    """Return whether an expression makes an optimizer whose updates point down the loss."""
    made = bound_value(module, node)
    home, _, name = (module.dotted(getattr(made, "func", None)) or "").rpartition(".")
    if not isinstance(made, ast.Call) or home != "optax":
        return False
    if name == "chain":
        return any(_descends(module, part) for part in made.args)
    return name in DESCENDING


def _is_used_again(module: Module, mask: ast.expr) -> bool:
    """Return whether the program uses a mask elsewhere, perhaps on the gradients themselves."""
    names = [n.id for n in module.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    if isinstance(mask, ast.Name):
        return names.count(mask.id) > 1
    if isinstance(mask, ast.Call):
        return len(list(calls_to(module, last_name(mask.func)))) > 1
    return False


def _is_optax_chain(module: Module, call: ast.Call) -> bool:
    """Return whether everything chained with a transformation is Optax's own."""
    for outer in module.ancestors(call):
        if isinstance(outer, ast.stmt):
            return True
        if isinstance(outer, ast.Call) and module.dotted(outer.func) == "optax.chain":
            parts = [p for p in outer.args if isinstance(p, ast.Call)]
            paths = [module.dotted(p.func) or "" for p in parts]
            return len(parts) == len(outer.args) and all(p.startswith("optax.") for p in paths)
    return True


def zero_the_rest(found: MaskedOptimizer) -> Drafts:
    """Set the updates of the other leaves to zero."""
    module, call = found.module, found.node
    draft = Draft(module)
    optax, tree_map = draft.name("optax.masked"), draft.name("jax.tree.map")
    home, text = optax.rpartition(".")[0], module.text(found.mask)
    if not home:
        return
    others = f"{tree_map}(lambda m: not m, {text})"
    if resolve(module, found.mask, call) is not None:
        others = f"lambda params: {tree_map}(lambda m: not m, {text}(params))"
    rest = f"{optax}({home}.set_to_zero(), {others})"
    yield draft.wrap(call, f"{home}.chain(", f", {rest})").certain()


RULES = (Rule("masked-passes-gradients", read(read_frozen, imports=TRAINING), zero_the_rest),)
