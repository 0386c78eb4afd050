"""Names where a NaN or an infinity in a result came from."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.observed_location import Found, ObservedLocation
from jaxtutor.core.diagnosis.source import Module

_EXPECTING = ("isnan", "isfinite", "isinf", "nan", "checkify", "errstate")
_FORMS = {"log(": "log", "log1p(": "log", "exp(": "exp", "sqrt(-": "root", "rsqrt(-": "root"}


def not_finite(spot: ObservedLocation) -> Found | None:
    """An operation whose NaN or infinity reached a result, in a program that expects none."""
    if not isinstance(spot.node, ast.expr) or _expects_it(spot.module):
        return None
    detail = spot.seen.get("detail", "")
    form = next((f for start, f in _FORMS.items() if detail.startswith(start)), "")
    if " / 0 " in detail or detail.startswith("rsqrt(0)"):
        form = "division"
    return "result-not-finite", spot.place(), {**spot.facts, **({"form": form} if form else {})}


def half_overflow(spot: ObservedLocation) -> Found | None:
    """A float16 operation that overflowed; a program that scales its loss tests for that."""
    if not isinstance(spot.node, ast.expr) or _expects_it(spot.module):
        return None
    return "float16-overflow", spot.place(), spot.facts


def _expects_it(module: Module) -> bool:
    """Return whether a file tests for such values, makes them, or leaves them out."""
    for node in module.nodes:
        name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            name = node.value if node.value in ("nan", "jax_debug_nans") else ""
        if isinstance(name, str) and (name.startswith(_EXPECTING) or name == "jax_debug_nans"):
            return True
    return False
