"""Names where a NaN or an infinity in a result came from, and writes what does not overflow."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.observations import (
    HalfOverflow,
    LostOperand,
    NotFinite,
    Observation,
    PrintedNotFinite,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import ExpressionFinding, Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, observed
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.observed.gradients import names_gradient
from jaxtutor.core.diagnosis.reading.names import bound_value

_EXPECTING = ("isnan", "isfinite", "isinf", "nan", "checkify")
_OF_NUMPY = ("errstate", "seterr")  # they concern what NumPy computes, not JAX
_FORMS = {"log(": "log", "log1p(": "log", "exp(": "exp", "sqrt(-": "root", "rsqrt(-": "root"}


class Stable(Struct, frozen=True):
    """A stable function in place of an expression, and the arguments to pass to it."""

    path: str
    arguments: tuple[ast.expr | ast.keyword, ...]


class Overflow(ExpressionFinding, frozen=True, kw_only=True):
    """An expression whose value is not finite, and the stable one in its place, if JAX has one."""

    stable: Stable | None


def not_finite(spot: ObservedLocation[NotFinite]) -> Overflow | None:
    """An operation whose NaN or infinity reached a result, in a program that expects none."""
    if not isinstance(spot.node, ast.expr) or _expects_it(spot.module):
        return None
    if names_gradient(spot) or _is_half_overflow(spot):  # they name the same operation
        return None
    if spot.seen.defect is not None:
        return Overflow(
            None, spot.facts, spot.seen.defect, module=spot.module, node=spot.node, stable=None
        )
    if spot.seen.is_gradient:
        return Overflow(
            None, spot.facts, "gradient", module=spot.module, node=spot.node, stable=None
        )
    detail = spot.seen.detail
    form = next((f for start, f in _FORMS.items() if detail.startswith(start)), "")
    if " / 0 " in detail or detail.startswith("rsqrt(0)"):
        form = "division"
    if spot.seen.lost is not None:
        lost = _lost_operand(spot, spot.seen.lost, form)
        if lost is not None:
            return lost
    if form == "exp":
        around = _stable_around(spot.module, spot.node)
        if around is not None:
            return around
    stable = _stable_form(spot.module, spot.node) if isinstance(spot.node, ast.Call) else None
    return Overflow(None, spot.facts, form, module=spot.module, node=spot.node, stable=stable)


def _lost_operand(
    spot: ObservedLocation[NotFinite], lost: LostOperand, form: str
) -> Overflow | None:
    """Name what an operand has lost, where something has to be changed for that.

    A power that vanishes before its logarithm, and a root of what should be 0, have advice of their
    own.
    """
    is_power = spot.seen.primitive.startswith("exp")
    at = spot.seen.lost_at
    if at is None or (is_power and form == "log") or form == "root":
        return None
    if not isinstance(spot.node, ast.expr):
        return None
    facts = {**spot.facts, "line": str(spot.frame.span.line)}
    if lost != "underflow":
        return Overflow(None, facts, lost, module=spot.module, node=spot.node, stable=None)
    module = spot.modules.get(at.file)
    node = module.node_at(at.span) if module is not None else None
    if module is None or not isinstance(node, ast.expr):
        return None
    return Overflow(None, facts, lost, module=module, node=node, stable=None)


def _stable_around(module: Module, power: ast.expr) -> Overflow | None:
    """Find the expression that an overflowing `exp` belongs to, if JAX has a stable one for it."""
    if not isinstance(power, ast.Call) or not power.args:
        return None
    for node in module.calls:
        stable = _stable_form(module, node)
        if stable is not None and stable.arguments[0] is power.args[0]:
            facts = {"argument": stable.path}
            return Overflow(None, facts, "unstable", module=module, node=node, stable=stable)
    return None


def half_overflow(spot: ObservedLocation[HalfOverflow]) -> Finding | None:
    """A float16 operation that overflowed; a program that scales its loss tests for that."""
    if not isinstance(spot.node, ast.expr) or _expects_it(spot.module):
        return None
    return spot.found()


def _is_half_overflow(spot: ObservedLocation[Observation]) -> bool:
    return any(isinstance(it, HalfOverflow) and it.frame == spot.frame for it in spot.run)


def unstable(spot: ObservedLocation[PrintedNotFinite]) -> Finding | None:
    """An expression that overflows for large numbers, and that JAX has a stable function for.

    A result that is not finite was printed, and no operation was seen that made it: this is where
    it is likely to come from. Without such an expression the print is worth a look.
    """
    texts = spot.node.args if isinstance(spot.node, ast.Call) else []
    if all(isinstance(text, ast.Constant) for text in texts):
        return None  # a fixed text that has the word
    modules = spot.modules.values()
    expecting = (*_EXPECTING, *_OF_NUMPY)
    if any(_expects_it(module, expecting) or _has_infinity(module) for module in modules):
        return None
    for module in modules:
        for node in module.calls:
            stable = _stable_form(module, node)
            if stable is not None:
                facts = {"argument": stable.path}
                return Overflow(None, facts, "unstable", module=module, node=node, stable=stable)
    return replace(spot.found(form="unexplained"), is_certain=False)


_OF_PROBABILITY = {
    "jax.nn.softmax": "jax.nn.log_softmax",
    "jax.nn.sigmoid": "jax.nn.log_sigmoid",
}


def _stable_form(module: Module, node: ast.Call) -> Stable | None:
    """Read `log(sum(exp(x)))`, `log(softmax(x))` or `log(sigmoid(x))`, also through names."""
    if module.dotted(node.func) != "jax.numpy.log" or len(node.args) != 1 or node.keywords:
        return None
    inner = bound_value(module, node.args[0])
    if not isinstance(inner, ast.Call):
        return None
    path = module.dotted(inner.func) or ""
    if path in _OF_PROBABILITY:
        return Stable(_OF_PROBABILITY[path], (*inner.args, *inner.keywords))
    rest: tuple[ast.expr | ast.keyword, ...]
    if path == "jax.numpy.sum" and inner.args:
        summed, rest = inner.args[0], (*inner.args[1:], *inner.keywords)
    elif isinstance(inner.func, ast.Attribute) and inner.func.attr == "sum":
        summed, rest = inner.func.value, (*inner.args, *inner.keywords)
    else:
        return None
    powers = bound_value(module, summed)
    if not isinstance(powers, ast.Call) or module.dotted(powers.func) != "jax.numpy.exp":
        return None
    return Stable("jax.nn.logsumexp", (*powers.args, *rest)) if len(powers.args) == 1 else None


def _has_infinity(module: Module) -> bool:
    """Return whether a file writes an infinity, which may be printed on purpose."""
    return any(
        (isinstance(node, ast.Attribute) and node.attr in ("inf", "infty"))
        or (isinstance(node, ast.Constant) and node.value in ("inf", "-inf"))
        for node in module.nodes
    )


def _expects_it(module: Module, expecting: tuple[str, ...] = _EXPECTING) -> bool:
    """Return whether a file tests for such values, makes them, or leaves them out.

    One that sets `jax_debug_nans` does not: it wants to hear of them, and of an infinity nothing
    is raised.
    """
    for node in module.nodes:
        name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        if isinstance(node, ast.Constant) and node.value == "nan":
            return True
        if isinstance(name, str) and name.startswith(expecting):
            return True
    return False


def use_stable(found: Overflow) -> Drafts:
    """Call the stable function in place of the logarithm."""
    if found.stable is not None:
        draft = Draft(found.module)
        given = ", ".join(found.module.text(argument) for argument in found.stable.arguments)
        yield draft.replace(found.node, f"{draft.name(found.stable.path)}({given})")


def _comes_from_elsewhere(found: Finding, others: Sequence[tuple[str, Finding]]) -> bool:
    """Return whether another finding says where the NaN comes from.

    It may be what a lookup out of range gives, memory not written, or integers that wrapped around.
    """
    slugs = {slug for slug, _ in others}
    if found.form == "wrapped":
        return "integer-overflow" in slugs
    is_open = found.form in ("", "unexplained")
    return is_open and not slugs.isdisjoint(("out-of-bounds-clamped", "pallas-block-unwritten"))


RULES = (
    Rule("float16-overflow", observed((HalfOverflow, half_overflow))),
    Rule(
        "result-not-finite",
        observed((NotFinite, not_finite), (PrintedNotFinite, unstable)),
        by_match(use_stable),
        is_echo=_comes_from_elsewhere,
    ),
)
