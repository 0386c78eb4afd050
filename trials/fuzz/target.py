"""Defines a target of fuzzing: a promise, its inputs, and how it is tried."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from trials import Figure

SEED = 20261
"""The seed of every trial, so that it can be repeated."""


@dataclass(frozen=True)
class Target:
    """A promise, the inputs that it covers, and a check that raises if it is broken."""

    promise: str
    inputs: SearchStrategy[Any]
    check: Callable[[Any], None]
    cases: int

    def attempt(self, cases: int) -> Figure:
        """Try a number of inputs. The smallest that breaks the promise is the failure."""
        tried = 0

        @seed(SEED)
        @settings(
            max_examples=max(cases, 1),
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
            print_blob=False,
            report_multiple_bugs=False,
        )
        @given(self.inputs)
        def hold(value: object) -> None:
            nonlocal tried
            tried += 1
            try:
                self.check(value)
            except Exception as error:
                error.add_note(f"for {value!r:.2000}")
                raise

        try:
            hold()
        except Exception as error:
            said = "".join(traceback.format_exception(error)[-12:])
            return Figure(promise=self.promise, tried=tried, held=tried - 1, failures=(said,))
        return Figure(promise=self.promise, tried=tried, held=tried)
