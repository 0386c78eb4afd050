"""Observes what a submission does in Python while it is traced, and changes nothing in JAX.

A check needs no more, so it imports none of the modules that observe JAX.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from jaxtutor.core.data.observations import Observation
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.watching.non_finite import NonFiniteOrigins
from jaxtutor.worker.watching.python_effects import PythonEffects
from jaxtutor.worker.watching.recorder import Recorder
from jaxtutor.worker.watching.replacements import Replacements


class EffectsWatch:
    """Observes one run. A context manager that keeps the observations.

    The cost is too small to measure.
    """

    def __init__(self, is_own: IsOwn) -> None:
        self._recorder = Recorder(is_own)
        self._replacements = Replacements()

    def __enter__(self) -> EffectsWatch:
        PythonEffects(self._recorder, _is_unexplained).start(self._replacements)
        return self

    def __exit__(self, *_: object) -> None:
        self._replacements.undo()

    @property
    def seen(self) -> tuple[Observation, ...]:
        """The observations so far."""
        return self._recorder.seen


def _is_unexplained(values: Sequence[object]) -> bool:
    """Return whether a printed value is not finite: no operation is seen that explains it."""
    with suppress(Exception):  # the learner's value may raise anything; printing goes on
        return NonFiniteOrigins().is_unexplained(values)
    return False
