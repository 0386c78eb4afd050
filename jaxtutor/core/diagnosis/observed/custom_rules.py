"""Names rules of `custom_vjp` and `custom_jvp` that leave out the gradient of an argument."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.data.observations import GradientLeftOut
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, observed
from jaxtutor.core.diagnosis.engine.source import FunctionNode
from jaxtutor.core.diagnosis.reading.functions import returned


def gradient_left_out(spot: ObservedLocation[GradientLeftOut]) -> Finding:
    """An argument on which a function depends, and of which its rule returns no gradient.

    It is certain where the argument was computed from weights that get no gradient in any other
    way. Weights may be frozen on purpose, and a shorter chain may be meant.
    """
    seen, rule = spot.seen, spot.observed_function
    position = 1 if seen.position is None else seen.position  # behind the value, the tangent
    place = _cotangent(rule, position) if rule is not None else None
    facts = {"function": seen.name, "argument": seen.argument}
    if seen.weights:
        facts["container"] = seen.weights
    is_chain = bool(seen.weights) and seen.is_computed
    chain = "tangent" if seen.position is None else "chain"
    form = chain if is_chain else "weights" if seen.weights else ""
    return replace(spot.found(place, facts, form), is_certain=is_chain)


def _cotangent(rule: FunctionNode, position: int) -> ast.AST | None:
    """Return one of the results of a rule, or the only assignment to the name that is returned."""
    results = [value for value in returned(rule) if value is not None]
    result = results[0] if len(results) == 1 else None
    if not isinstance(result, ast.Tuple) or position >= len(result.elts):
        return result
    value = result.elts[position]
    if isinstance(value, ast.Name):
        bound = [n for n in ast.walk(rule) if isinstance(n, ast.Assign) and _binds(n, value.id)]
        return bound[0] if len(bound) == 1 else value
    return value


def _binds(statement: ast.Assign, name: str) -> bool:
    return any(isinstance(t, ast.Name) and t.id == name for t in statement.targets)


RULES = (Rule("gradient-left-out", observed((GradientLeftOut, gradient_left_out))),)
