"""Finds mistakes in a program that did not raise, from observations and from its source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from msgspec.structs import replace

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.observations import LeakedTracer, Observation
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.diagnosis.engine.advice import choose_form, line_to_write
from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.guard import guarded, guarded_each
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.pages import Cause, fill
from jaxtutor.core.diagnosis.engine.registry import (
    foreseen_rules,
    observed_rules,
    read_rules,
    stopped_rules,
)
from jaxtutor.core.diagnosis.engine.rules import Diagnosed, Observed, Read, Rule
from jaxtutor.core.diagnosis.engine.source import Module, only_files, read_modules

MOST_FINDINGS = 8
MOST_LOOKS = 3
"""Of the findings that are worth a look only."""
Found = tuple[Rule[Any], Finding]
IsReported = Callable[[Diagnosis], bool]


def report_all(_found: Diagnosis) -> bool:
    """Return True: nothing is allowed."""
    return True


def find(
    observations: Iterable[Observation],
    sources: Mapping[str, str],
    causes: Mapping[str, Cause],
    is_reported: IsReported = report_all,
) -> tuple[Diagnosed, ...]:
    """Name the mistakes that were seen while the program ran, or that its source shows."""
    return find_all(observations, sources, causes, is_reported)[0]


def find_all(
    observations: Iterable[Observation],
    sources: Mapping[str, str],
    causes: Mapping[str, Cause],
    is_reported: IsReported = report_all,
) -> tuple[tuple[Diagnosed, ...], tuple[Diagnosed, ...]]:
    """Name the mistakes, and what is worth a look only.

    What is not reported takes no place of what is.
    """
    modules = read_modules(sources)
    found = [*_observed_findings(tuple(observations), modules), *_source_findings(modules)]
    named = _once_at_a_place(found)
    certain = [item for item in named if item[1].is_certain]
    others = [item for item in named if not item[1].is_certain]

    def first(found: Iterable[Found], most: int) -> tuple[Diagnosed, ...]:
        all_found = (as_diagnosis(*item, causes) for item in found)
        return tuple(islice((it for it in all_found if is_reported(it.diagnosis)), most))

    return first(certain, MOST_FINDINGS), first(others, MOST_LOOKS)


def load_read_rules() -> None:
    """Import the topics of the rules that read the source, which every `find` asks."""
    for _ in read_rules():
        pass


def find_in_source(
    modules: Mapping[str, Module], causes: Mapping[str, Cause]
) -> tuple[Diagnosed, ...]:
    """Name all that the source alone shows: what is worth a look too, and what will raise."""
    found = [*_source_findings(modules), *_found_by(foreseen_rules(), modules)]
    named = _once_at_a_place(found)
    return tuple(as_diagnosis(*item, causes) for item in named)


def _once_at_a_place(found: Sequence[Found]) -> list[Found]:
    """Leave out echoes, and all but one finding of a cause at a line: the certain one."""
    named: dict[tuple[str, str, int], Found] = {}
    for rule, match in _without_echoes(found):
        at = rule.slug, match.location.file, match.location.span.line
        if match.is_certain or at not in named:  # what is worth a look replaces no mistake
            named[at] = rule, match
    return list(named.values())


class SessionFindings:
    """Finds mistakes in one run after another of a process: cells of a session, or tests.

    A text that shows no mistake by itself is not read again, unless something was observed in it.
    """

    def __init__(self, causes: Mapping[str, Cause]) -> None:
        self._causes = causes
        self._silent: dict[str, int] = {}

    def find(
        self,
        observations: Sequence[Observation],
        sources: Mapping[str, str],
        is_reported: IsReported = report_all,
    ) -> tuple[Diagnosed, ...]:
        """Name what was seen in a run, and what the texts of the files that ran show."""
        loud = set[str]()

        def note(found: Diagnosis) -> bool:
            loud.add(found.file)  # another run may report what this one does not
            return is_reported(found)

        hashes = {file: hash(text) for file, text in sources.items()}
        if hashes.keys() <= self._silent.keys():  # else all: some rules join what files say
            places = {seen.frame.file for seen in observations if seen.frame is not None}
            changed = {file for file, text in hashes.items() if self._silent[file] != text}
            sources = only_files(sources, places | changed)
        found = find(observations, sources, self._causes, note)
        if len(found) < MOST_FINDINGS:
            self._silent |= {file: 0 if file in loud else hashes[file] for file in sources}
        return found


def find_endless(sources: Mapping[str, str], causes: Mapping[str, Cause]) -> tuple[Diagnosed, ...]:
    """Name why a program that was stopped never ended, if one loop is certain to be the reason.

    The kinds of loops are tried in order, the most certain first.
    """
    modules = read_modules(sources)
    for rule in stopped_rules():
        how = rule.recognise
        found = list(how.matches(modules)) if isinstance(how, Read) else []
        if found:
            return (as_diagnosis(rule, found[0], causes),) if len(found) == 1 else ()
    return ()


def _observed_findings(
    observations: Sequence[Observation], modules: Mapping[str, Module]
) -> Iterator[Found]:
    """Yield what each observation surely is."""
    for seen in observations:
        spot = _spot(seen, modules, observations)
        first = next(_matches(spot), None) if spot is not None else None
        if first is not None:
            yield first


def _matches(spot: ObservedLocation[Observation]) -> Iterator[Found]:
    for rule in observed_rules(spot.seen.kind):
        how = rule.recognise
        if not isinstance(how, Observed):
            continue
        match = guarded(rule.slug, partial(how.match, spot))
        if match is not None:
            yield rule, replace(match, modules=spot.modules)


def _spot(
    seen: Observation, modules: Mapping[str, Module], observations: Sequence[Observation]
) -> ObservedLocation[Observation] | None:
    """Return the place of an observation, if it is in a file that was read.

    A leak is placed by what holds the tracer, wherever that was made.
    """
    frame = seen.frame
    module = modules.get(frame.file) if frame is not None else None
    if module is None and isinstance(seen, LeakedTracer):
        module = next(iter(modules.values()), None)
        frame = Frame("", "", Span(1, 0, 1, 0))
    if frame is None or module is None:
        return None
    return ObservedLocation(seen, module, frame, modules, observations)


def _source_findings(modules: Mapping[str, Module]) -> Iterator[Found]:
    """Yield what the source shows of mistakes that raise nothing."""
    return _found_by(read_rules(), modules)


def _found_by(rules: Iterable[Rule[Any]], modules: Mapping[str, Module]) -> Iterator[Found]:
    for rule in rules:
        how = rule.recognise
        if isinstance(how, Read):
            for match in guarded_each(rule.slug, partial(how.matches, modules)):
                yield rule, replace(match, modules=modules)


def _without_echoes(found: Sequence[Found]) -> Iterator[Found]:
    """Leave out what another finding explains."""
    named = [(rule.slug, match) for rule, match in found]
    for rule, match in found:
        if rule.is_echo is None or not rule.is_echo(match, named):
            yield rule, match


def as_diagnosis(rule: Rule[Any], match: Finding, causes: Mapping[str, Cause]) -> Diagnosed:
    """Return the diagnosis of a cause that raised nothing."""
    place = match.location
    cause = causes.get(rule.slug)
    text = place.expression
    frame = FrameContext(match.module, Frame(place.file, "", place.span), ())
    form, more = choose_form(cause, match, frame, match.node)
    known = {
        "expression": text,
        "condition": text,
        "line": str(place.span.line),
        **match.facts,
        **more,
    }
    words = cause.form(form) if cause is not None else None
    made = Diagnosis(
        error_class=None,
        message="",
        cause=rule.slug,
        file=place.file,
        span=place.span,
        expression=place.expression,
        summary=fill(words.summary, known) if words else "",
        advice=line_to_write(cause, rule, match, place.span.line) + fill(words.advice, known)
        if words
        else "",
        is_certain=match.is_certain,
        costs=cause is not None and cause.costs,
    )
    return Diagnosed(made, rule, match)
