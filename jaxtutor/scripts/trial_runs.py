"""Holds a run of a script with an edit, and judges what it proves."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from jaxtutor.core.data.facts import ScriptFacts
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.observations import Observation
from jaxtutor.core.judging.equivalence import Varying
from jaxtutor.core.judging.evidence import dependents, prints_more, same_kept

FILE_ERRORS = frozenset(
    name
    for name, error in vars(builtins).items()
    if isinstance(error, type) and issubclass(error, OSError | EOFError)
)
"""Names of the errors that two programs can raise which use the same file or address."""

TRACE_ERRORS = ("Tracer", "Concretization", "NonConcrete")
"""How the names of the errors begin that a program raises only while it is traced."""


@dataclass
class ScriptRun:
    """One captured run of a script."""

    observed: tuple[Observation, ...]
    facts: ScriptFacts | None
    printed: str

    @property
    def completed(self) -> bool:
        """Return whether the program ran to its end, without an exception or a failing test."""
        facts = self.facts
        return facts is not None and self.failure is None and not facts.exit_status

    @property
    def failure(self) -> Failure | None:
        """The exception that ended the program, or that its first failing test raised."""
        if self.facts is None or self.facts.failure is not None or not self.facts.caught:
            return self.facts.failure if self.facts is not None else None
        return self.facts.caught[0].failure

    @property
    def failed_at_file(self) -> bool:
        """Return whether another run, at the same time, may be why it failed."""
        return self.failure is not None and self.failure.error_class in FILE_ERRORS

    @property
    def failed_in_trace(self) -> bool:
        """Return whether it failed because JAX traced it."""
        return self.failure is not None and self.failure.error_class.startswith(TRACE_ERRORS)

    @property
    def has_answer(self) -> bool:
        """Return whether the run has a result that another run can be compared with."""
        return bool(self.printed.strip()) or bool(self.facts and self.facts.names)


Proof = Literal["right", "wrong", "none"]


@dataclass
class RunEvidence:
    """What two runs of a program, alike so far, show about the statement that failed.

    `printed_before` returns what the program printed until it failed.
    """

    failure: Failure
    sources: Mapping[str, str]
    file: str
    printed_before: Callable[[], str]

    def judge(self, expected: ScriptRun, actual: ScriptRun, vary: Varying | None = None) -> Proof:
        """Return whether a result that depends on the failed statement is right, if there is one.

        The variables and printed texts of the runs are known to be alike, except where they vary.
        """
        if expected.facts is None or actual.facts is None:
            return "none"
        found = dependents(self.failure, self.sources, self.file)
        if found.has_variable(expected.facts, vary.names if vary is not None else ()):
            return "right"
        is_same = same_kept(expected.facts, actual.facts, found)
        if is_same is not None:
            return "right" if is_same else "wrong"
        source = self.sources.get(self.file, "")
        texts = self.printed_before(), expected.printed
        if vary is not None:  # a counter of rounds proves nothing
            texts = vary.drop_from(texts[0]), vary.drop_from(texts[1])
        return "right" if prints_more(*texts, source) else "none"
