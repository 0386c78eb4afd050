"""Names matrices whose numbers are too far apart for the precision that they are computed in."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.data.observations import RankCut
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, observed

_THRESHOLDS = ("rcond", "rtol", "tol")
_WITH_THRESHOLD = {"lstsq": 3, "pinv": 2, "matrix_rank": 2, "polyfit": 4}
"""JAX's functions that leave singular values out: the arguments with which one is chosen."""


def rank_cut(spot: ObservedLocation[RankCut]) -> Finding | None:
    """A function of JAX that leaves singular values out by its own threshold.

    A threshold that the learner gives is meant.
    """
    name = spot.called().rpartition(".")[2]
    if not isinstance(spot.node, ast.Call) or name not in _WITH_THRESHOLD:
        return None
    is_given = any(keyword.arg in _THRESHOLDS for keyword in spot.node.keywords)
    if is_given or len(spot.node.args) >= _WITH_THRESHOLD[name]:
        return None
    return replace(spot.found(), is_certain=False)


RULES = (Rule("matrix-beyond-precision", observed((RankCut, rank_cut))),)
