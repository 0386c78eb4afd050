"""Puts what a meter measured in the place of what a submission's process reported.

The meter runs the programs of a submission in a process that never runs the submission itself. Its
values replace the reported ones, and a report that contradicts them is noted. What a program does
not carry stays as reported: the structure of an answer, weak types, and the class of random keys.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from jaxtutor.core.data.facts import (
    CaseFacts,
    Contradicted,
    Event,
    Measured,
    Outcome,
    PropertyFacts,
    Unmeasured,
)
from jaxtutor.core.data.programs import CASES, FRESH, AnswerPlace, ExportedPrograms
from jaxtutor.core.data.values import ArrayValue, AtomValue, Leaf, Tree
from jaxtutor.core.judging.compare import (
    Tolerance,
    compare,
    compare_types,
    difference_text,
    type_text,
)

WORDS = 2
"""Numbers of a random key; only such keys are sent as one number (see `worker.values`)."""


class _Misfit(Exception):
    """What was measured does not fit what was reported."""


def exported_programs(outcome: Outcome) -> ExportedPrograms | None:
    """Return the programs that a worker exported, if it did."""
    return next((it for it in outcome.events if isinstance(it, ExportedPrograms)), None)


def measured_checks(reference: Outcome) -> tuple[str, ...]:
    """Return the names of the checks whose answers a meter can measure for every submission.

    They are those of which each program of the solution could be exported.
    """
    exported = exported_programs(reference) or ExportedPrograms()
    missing = {place.part for place, _ in exported.missing}
    parts = {use.place.part for use in exported.uses} - missing
    facts = [it for it in reference.events if isinstance(it, PropertyFacts)]
    named = [it.property.name for part, it in enumerate(facts) if part in parts]
    return (*(["values"] if CASES in parts else []), *named)


def with_measured(
    outcome: Outcome,
    reference: Outcome,
    measured: Sequence[Measured],
    tolerance: Tolerance | None = None,
    problem: str = "",
) -> Outcome:
    """Return a submission's outcome with the values that its programs gave in the meter.

    What the solution's programs give and the submission's do not is noted as unmeasured, and an
    answer that was reported otherwise as contradicted. `problem` says why the meter did not finish.
    """
    if problem:
        return replace(outcome, events=(*outcome.events, Unmeasured(problem)))
    exported = exported_programs(outcome) or ExportedPrograms()
    merger = _Merger(measured, exported, tolerance)
    events = [*merger.merge(outcome.events)]
    merger.require(exported_programs(reference) or ExportedPrograms())
    if not merger.notes:
        events += merger.fresh_cases(outcome.events)
    return replace(outcome, events=(*events, *merger.notes))


def with_fresh(reference: Outcome, measured: Sequence[Measured]) -> Outcome:
    """Return the solution's outcome with its answers to the fresh calls."""
    merger = _Merger(measured, ExportedPrograms(), None)
    return replace(reference, events=(*reference.events, *merger.fresh_cases(reference.events)))


class _Merger:
    """Merges the facts of one submission."""

    def __init__(
        self,
        measured: Sequence[Measured],
        exported: ExportedPrograms,
        tolerance: Tolerance | None,
    ) -> None:
        self.measured = {it.place: it for it in measured}
        self.missing = dict(exported.missing)
        self.tolerance = tolerance
        self.notes: list[Event] = []
        self._merged: set[AnswerPlace] = set()

    def require(self, solution: ExportedPrograms) -> None:
        """Note the first answer of the solution's that was not measured for this submission."""
        places = [use.place for use in solution.uses]
        places += [place for place in self.measured if place.part == FRESH]
        for place in places:
            found = self.measured.get(place)
            problem = found.problem if found else self.missing.get(place, "no program was sent")
            if problem:
                self.notes.append(Unmeasured(problem))
                return
            if place.part != FRESH and place not in self._merged:
                self._contradict("it reported fewer answers than there are calls")

    def merge(self, events: Sequence[Event]) -> Iterator[Event]:
        """Yield the events with measured values in the place of reported ones."""
        case = part = -1
        for event in events:
            if isinstance(event, CaseFacts):
                case += 1
                yield self._case(event, AnswerPlace(CASES, case))
            elif isinstance(event, PropertyFacts):
                part += 1
                yield self._property(event, part)
            else:
                yield event

    def fresh_cases(self, events: Sequence[Event]) -> Iterator[CaseFacts]:
        """Yield the fresh calls as cases; their answers have the structure of the reported ones."""
        cases = [it for it in events if isinstance(it, CaseFacts)]
        for place, found in self.measured.items():
            if place.part != FRESH or found.problem or found.like >= len(cases):
                continue
            like = cases[found.like].output
            answer: list[Tree] = []
            if like is not None:
                answer = self._checked([like], found, f"for {found.inputs}", is_report=False)
            output = answer[0] if answer else None
            yield CaseFacts(found.inputs, False, output, reason=found.reason)

    def _case(self, facts: CaseFacts, place: AnswerPlace) -> CaseFacts:
        found = self.measured.get(place)
        if found is None or found.problem or facts.output is None:
            return facts
        self._merged.add(place)
        merged = self._checked([facts.output], found, f"the answer for {facts.inputs}")
        return replace(facts, output=merged[0]) if merged else facts

    def _property(self, facts: PropertyFacts, part: int) -> PropertyFacts:
        """Merge the trees of a property, each with what else its program returned."""
        answers = {name: [*getattr(facts, name)] for name in ("trees", "weighted", "primals")}
        merged_so_far: Counter[str] = Counter()
        for number, tree in enumerate(facts.trees):
            found = self.measured.get(AnswerPlace(part, number))
            if found is None or found.problem:
                continue
            self._merged.add(found.place)
            parts = [("trees", number)]
            for name in _further_parts(facts, tree, found, merged_so_far):
                parts.append((name, merged_so_far[name]))
                merged_so_far[name] += 1
            reported = [answers[name][place] for name, place in parts]
            merged = self._checked(reported, found, f"the check {facts.property.name!r}")
            for (name, place), value in zip(parts, merged, strict=False):
                answers[name][place] = value
        return replace(facts, **{name: tuple(parts) for name, parts in answers.items()})

    def _checked(
        self, reported: list[Tree], found: Measured, what: str, is_report: bool = True
    ) -> list[Tree]:
        """Return trees with the measured values, and note what contradicts the report."""
        try:
            merged = list(_fill(reported, found.leaves))
        except _Misfit as misfit:
            self._contradict(f"{what}: {misfit}")
            return []
        for before, after in zip(reported, merged, strict=True) if is_report else ():
            difference = compare_types(before, after, weak=False)
            if difference is None and not _is_abstract(before):
                difference = compare(before, after, self.tolerance)
            if difference is not None:
                self._contradict(f"{what}: {difference_text(difference)}")
        return merged

    def _contradict(self, says: str) -> None:
        if not any(isinstance(note, Contradicted) for note in self.notes):
            self.notes.append(Contradicted(says))


def _further_parts(
    facts: PropertyFacts, tree: Tree, found: Measured, before: Mapping[str, int]
) -> Iterator[str]:
    """Yield what a program returned beside `tree`: that of a gradient returns the answer as well.

    Whether it also returned the gradient of a weighted sum is decided by how many arrays there are.
    `before` counts the parts of earlier programs.
    """
    arrays = len(found.leaves) - len(tree.leaves)
    if arrays <= 0 or before["primals"] >= len(facts.primals):
        return
    answer = facts.primals[before["primals"]]
    if arrays > len(answer.leaves) and before["weighted"] < len(facts.weighted):
        yield "weighted"
    yield "primals"


def _fill(trees: Sequence[Tree], arrays: Sequence[ArrayValue]) -> Iterator[Tree]:
    """Yield trees with measured arrays as leaves. Raises _Misfit."""
    if sum(len(tree.leaves) for tree in trees) != len(arrays):
        raise _Misfit(f"its program returns {len(arrays)} arrays")
    waiting = iter(arrays)
    for tree in trees:
        leaves = tuple(Leaf(leaf.path, _value(leaf, next(waiting))) for leaf in tree.leaves)
        yield Tree(tree.structure, leaves)


def _value(reported: Leaf, measured: ArrayValue) -> ArrayValue | AtomValue:
    before = reported.value
    if isinstance(before, AtomValue):
        if before.kind.startswith("key<"):  # keys of more words than two are sent as text
            return before
        raise _Misfit(f"its program returns an array, not {before.kind}")
    if before.dtype == "float0":  # it holds nothing; a program returns bool in its place
        return before
    if before.dtype.startswith("key<"):
        if measured.dtype != "uint32" or measured.shape != (*before.shape, WORDS):
            raise _Misfit(f"its program returns {type_text(measured)}, not keys")
        packed = _pack_keys(measured) if measured.data is not None else None
        return ArrayValue(before.shape, before.dtype, before.weak, "Q", False, packed)
    return replace(measured, weak=before.weak)


def _pack_keys(measured: ArrayValue) -> bytes:
    """Return keys of two words as numbers of 64 bits, as a worker reports them."""
    words = memoryview(measured.data or b"").cast(measured.format)  # type: ignore[call-overload]
    pairs = zip(words[::2], words[1::2], strict=True)
    return b"".join(struct.pack("=Q", high << 32 | low) for high, low in pairs)


def _is_abstract(tree: Tree) -> bool:
    """Return whether a tree describes types without values."""
    return all(isinstance(it.value, ArrayValue) and it.value.data is None for it in tree.leaves)
