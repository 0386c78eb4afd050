"""Owns the order in which the matchers are asked, the more specific before the more general."""

from __future__ import annotations

from collections.abc import Callable

from jaxtutor.core.matchers import arrays, booleans, effects, names, sizes, statics, values
from jaxtutor.core.scene import Match, Scene

Matcher = Callable[[Scene], Match | None]

MATCHERS: tuple[tuple[str, Matcher], ...] = (
    *effects.MATCHERS,
    *booleans.MATCHERS,
    *sizes.MATCHERS,
    *values.MATCHERS,
    *statics.MATCHERS,
    *arrays.MATCHERS,
    *names.MATCHERS,
)
