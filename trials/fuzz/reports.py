"""Fuzzes what a submission's process reports, where a meter found one answer to be wrong.

A submission can send any report. Here a report is changed at random, while the meter's values stay
those of a program that is wrong in one place. No such report may pass, and none may raise.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from math import nan, prod
from typing import Any, NamedTuple

import msgspec
from hypothesis import strategies as st

from jaxtutor.core import vocabulary as words
from jaxtutor.core.data import wire
from jaxtutor.core.data.facts import (
    CaseFacts,
    Event,
    Machine,
    Measured,
    Outcome,
    PropertyFacts,
    StageFacts,
    TraceFacts,
)
from jaxtutor.core.data.jaxprs import Jaxpr
from jaxtutor.core.data.programs import (
    CASES,
    FRESH,
    AnswerPlace,
    ExportedPrograms,
    LoweredProgram,
    ProgramUse,
)
from jaxtutor.core.data.values import ArrayValue, Leaf, Tree
from jaxtutor.core.judging.judge import Criteria, judge
from jaxtutor.core.judging.measured import exported_programs, with_fresh, with_measured
from trials.fuzz.target import Target

CRITERIA = Criteria("double", "double")
MACHINE = Machine("0.12.0", "0.12.0", "3.13.0")
SIZE = 2
MOST_TRIES = 50
GRADIENT, VMAP, FINITE, TYPES = range(4)
PROPERTIES: tuple[words.Property, ...] = (
    words.Gradient(()),
    words.Vmap(()),
    words.Finite((), gradient=True),
    words.Types(()),
    words.SameSize(()),
)


class Wrong(NamedTuple):
    """Where a program is wrong: in its numbers or in its types."""

    place: AnswerPlace
    in_types: bool


# ---------------------------------------------------------------- programs


def floats(*numbers: float) -> ArrayValue:
    """Return an array of float32."""
    data = struct.pack(f"={len(numbers)}f", *numbers)
    return ArrayValue((len(numbers),), "float32", False, "f", False, data)


def returned(place: AnswerPlace, wrong: Wrong | None) -> tuple[ArrayValue, ...]:
    """Return what the program of a place returns: floats, and keys or the rest of a gradient."""
    first = 10.0 * (place.part + 3) + place.number
    arrays = [floats(first, first + 1, first + 2)]
    if place.part in (CASES, FRESH):
        arrays.append(
            ArrayValue((2, 2), "uint32", False, "I", False, struct.pack("=4I", 0, 5, 0, 7))
        )
    elif place.part == GRADIENT:
        arrays += [floats(first, 0.0, 0.0), floats(first, 1.0)]
    if wrong is None or place != wrong.place:
        return tuple(arrays)
    if wrong.in_types:
        return tuple(_as_bool(it) for it in arrays)
    return (floats(nan, nan, nan), *arrays[1:])


def _as_bool(value: ArrayValue) -> ArrayValue:
    """Return an array of the same shape whose elements are one byte each."""
    return ArrayValue(value.shape, "bool", False, "?", False, b"\0" * prod(value.shape))


def places() -> Iterator[AnswerPlace]:
    """Yield the places for which the solution has programs."""
    for part, per_call in ((CASES, 1), (GRADIENT, 1), (VMAP, 1), (FINITE, 2), (TYPES, 1)):
        yield from (AnswerPlace(part, number) for number in range(SIZE * per_call))


FRESH_PLACES = (AnswerPlace(FRESH, 0), AnswerPlace(FRESH, 1))
WRONG = [
    Wrong(place, in_types)
    for place in (*places(), *FRESH_PLACES)
    for in_types in (False, True)
    # The types of an answer say nothing of its numbers, and those of a batch nothing of its types.
    if (place.part, in_types) not in ((TYPES, False), (FINITE, True))
]


# ---------------------------------------------------------------- reports


def honest_report(wrong: Wrong | None) -> tuple[Event, ...]:
    """Return what the process of an honest submission with these programs reports."""
    uses = tuple(ProgramUse(place, 0, (0,)) for place in places())
    before, after = ("import", "function", "jaxpr", "jit"), ("values", "leaks")
    cases = (AnswerPlace(CASES, number) for number in range(SIZE))
    return (
        *(StageFacts(name, 0.0) for name in before),
        TraceFacts(Jaxpr((), (), ())),
        *(CaseFacts("x", not it.number, _case(it, wrong)) for it in cases),
        *(StageFacts(name, 0.0) for name in after),
        *(_facts(part, wanted, wrong) for part, wanted in enumerate(PROPERTIES)),
        ExportedPrograms((LoweredProgram(b"", (), (), ()),), uses),
    )


def _case(place: AnswerPlace, wrong: Wrong | None) -> Tree:
    keys = ArrayValue((2,), "key<fry>", False, "Q", False, struct.pack("=2Q", 5, 7))
    return Tree("(*, *)", (Leaf("[0]", returned(place, wrong)[0]), Leaf("[1]", keys)))


def _facts(part: int, wanted: words.Property, wrong: Wrong | None) -> PropertyFacts:
    if isinstance(wanted, words.SameSize):
        return PropertyFacts(wanted, 0.0, counts={"0:x": 3, "1:y": 3}, inputs=("x", "y"))
    answers = [returned(place, wrong) for place in places() if place.part == part]
    trees, weighted, primals = (
        tuple(Tree("*", (Leaf("", it[n]),)) for it in answers if n < len(it)) for n in (0, 1, 2)
    )
    if isinstance(wanted, words.Types):
        trees = tuple(map(_without_data, trees))
    return PropertyFacts(wanted, 0.0, trees, inputs=("x", "y"), weighted=weighted, primals=primals)


def _without_data(tree: Tree) -> Tree:
    (leaf,) = tree.leaves
    value = leaf.value
    assert isinstance(value, ArrayValue)
    return Tree("*", (Leaf("", ArrayValue(value.shape, value.dtype, value.weak)),))


def verdict_on(report: tuple[Event, ...], wrong: Wrong | None) -> str:
    """Return the status of a submission that sent a report, by what the meter measured."""
    solution = Outcome("finished", 0.0, MACHINE, events=honest_report(None), device="cpu:0")
    outcome = Outcome("finished", 0.0, MACHINE, events=report, device="cpu:0")
    judge(CRITERIA, outcome, solution)
    merged = with_measured(outcome, solution, [*_measured(outcome, wrong)])
    return judge(CRITERIA, merged, with_fresh(solution, [*_measured(solution, None)])).status


def _measured(outcome: Outcome, wrong: Wrong | None) -> Iterator[Measured]:
    """Yield what a meter reports of the programs that were sent."""
    uses = (exported_programs(outcome) or ExportedPrograms()).uses
    known = set(places())
    for use in uses:
        if use.place in known:
            yield Measured(1, use.place, returned(use.place, wrong))
        else:
            yield Measured(1, use.place, (), "LookupError: no such call")
    own = {use.place: use for use in uses}.get(AnswerPlace(CASES, 0))
    for place in FRESH_PLACES:
        runs = own is not None and own.takes == (0,)
        problem = "" if runs else "it has no program for such a call"
        yield Measured(1, place, returned(place, wrong) if runs else (), problem, "x", 0)


# ---------------------------------------------------------------- other reports

_SCALARS: tuple[Any, ...] = (
    *(None, 0, 1, -1, 2, 2**40, 0.5, nan, True, "", "*", "x", "(*, *)", "None", [], {}),
    *("float0", "float16", "float32", "bool", "int32", "uint32", "key<fry>", "key<rbg>", "atom"),
    *("?", "B", "H", "I", "Q", "d", b"", b"\0" * 8, b"\0" * 12, b"\xff" * 16),
)


def changed(report: tuple[Event, ...], chance: random.Random) -> tuple[Event, ...]:
    """Change a report in one to four places, such that the shell reads it as a report."""
    events = [*report]
    for _ in range(chance.choice((1, 1, 2, 4))):
        place = _pick(events, chance)
        match chance.randrange(10):
            case 0:
                del events[place]
            case 1:
                events.insert(place, chance.choice(report))
            case 2:
                events.insert(chance.randrange(len(events)), events.pop(place))
            case _:
                events[place] = _changed_event(events[place], chance.choice(report), chance)
    return tuple(events)


def _pick(events: list[Event], chance: random.Random) -> int:
    """Return the place of an event, mostly of one that reports values."""
    values = [n for n, it in enumerate(events) if isinstance(it, CaseFacts | PropertyFacts)]
    return chance.choice(values if values and chance.random() < 0.8 else range(len(events)))


def _changed_event(event: Event, other: Event, chance: random.Random) -> Event:
    """Change one event in its fields. Most changes are refused where events are decoded."""
    for _ in range(MOST_TRIES):
        plain = _plain(event)
        _change(plain, _plain(other), chance)
        try:
            return wire.read_event(msgspec.msgpack.encode(plain))
        except wire.Garbled:
            continue
    return event


def _change(event: Any, other: Any, chance: random.Random) -> None:
    """Change one part of an event, as plain data, perhaps to a part of another event."""
    holder = chance.choice([it for it in _walk(event) if it])
    name = chance.choice([*holder] if isinstance(holder, dict) else range(len(holder)))
    how = chance.randrange(4)
    if how == 0:
        holder[name] = chance.choice(_SCALARS)
    elif how == 1:
        taken = chance.choice([it for it in _walk(other) if it])
        holder[name] = chance.choice([*taken.values()] if isinstance(taken, dict) else taken)
    elif how == 2 or isinstance(holder, dict):
        del holder[name]
    else:
        holder.insert(name, _plain(chance.choice(holder)))


def _plain(value: Any) -> Any:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(value))


def _walk(value: Any) -> Iterator[Any]:
    """Yield the containers of plain data, outermost first."""
    if isinstance(value, dict | list):
        yield value
        for held in value.values() if isinstance(value, dict) else value:
            yield from _walk(held)


def no_report_passes(given: tuple[Wrong | None, bool, int]) -> None:
    """A submission whose program is wrong in one place does not pass, whatever it reports."""
    wrong, admits_it, seed = given
    report = changed(honest_report(wrong if admits_it else None), random.Random(seed))
    status = verdict_on(report, wrong)
    assert status != "passed" or wrong is None


TARGETS = (
    Target(
        "no report passes where a program is wrong",
        st.tuples(st.sampled_from([None, *WRONG]), st.booleans(), st.integers(0, 2**32)),
        no_report_passes,
        20_000,
    ),
)
