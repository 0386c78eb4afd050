"""Tests the diagnosis of every program of the catalogue, from what was recorded of its run."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from msgspec.structs import replace

from catalogue import Program, catalogue
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.observations import HostRead
from jaxtutor.core.diagnosis.engine import pages
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.engine.findings import find_all
from jaxtutor.core.diagnosis.engine.pages import FACTS
from jaxtutor.core.diagnosis.engine.propose import propose
from jaxtutor.core.diagnosis.engine.rules import Diagnosed
from jaxtutor.core.diagnosis.engine.source import read_module
from program_pool import of_cause, selected, without
from program_runner import BROKEN
from recordings import (
    Record,
    compact,
    corner,
    corners,
    diagnoses,
    digest,
    read,
    records,
    run,
)
from rule_tables import has_places, known_matches, matches, recorded
from score_corpus import ASPECTS, case_of, judge

CAUSES = Library()
ON = pytest.mark.parametrize("of", corners())
EACH_CAUSE = pytest.mark.parametrize("slug", [of_cause(slug, slug) for slug in CAUSES.slugs])


def shown(found: Diagnosis | None) -> tuple[str | None, int | None]:
    """Return the cause of a diagnosis and its line."""
    span = found.span if found is not None else None
    return (found.cause if found is not None else None, span.line if span is not None else None)


# ---------------------------------------------------------------- the diagnosis


@ON
@EACH_CAUSE
def test_a_program_gets_its_cause_and_line(slug: str, of: str) -> None:
    """A program gets the cause that it was written for, and no other, at the line to change."""
    wrong = {}
    for program, record in recorded(of, slug):
        group = program.name.partition("/")[0]
        if program.is_right or group in ("corpus", "pages"):
            continue
        found = [shown(it) for it in diagnoses(record, program, CAUSES)]
        line = program.line or (found[0][1] if found else None)
        if found != [(slug, line)]:
            wrong[program.name] = found
    assert {} == wrong


@ON
@EACH_CAUSE
def test_the_failing_block_of_a_page_gets_its_cause(slug: str, of: str) -> None:
    """A page's failing block gets its cause; the marked line raises it or is to change."""
    record = records(of).get(f"pages/{slug}/failing")
    program = catalogue()[f"pages/{slug}/failing"]
    if record is None or not CAUSES[slug].raises or program.line is None:
        return
    if not has_places(program, of):
        return
    (found,) = diagnoses(record, program, CAUSES)
    assert found is not None
    lines = [at.span.line for at in (found, found.raised_at) if at is not None and at.span]
    assert (slug, True) == (found.cause, program.line in lines)


@ON
@pytest.mark.parametrize("slug", [*(of_cause(slug, slug) for slug in CAUSES.slugs), ""])
def test_a_right_program_gets_no_finding(slug: str, of: str) -> None:
    """A right program, of a cause that it looks like or of none, neither raises nor is found."""
    wrong: dict[str, Any] = {}
    for program, record in recorded(of, slug):
        if program.is_right:
            found = [shown(it) for it in diagnoses(record, program, CAUSES)]
            if found or record.problem:
                wrong[program.name] = record.problem or found
    assert {} == wrong


@ON
@pytest.mark.parametrize(
    "name",
    [
        of_cause(program.cause, program.name.split("/")[1])
        for program in catalogue().values()
        if program.folder is not None and not program.is_right
    ],
)
def test_a_program_of_the_corpus_is_diagnosed(name: str, of: str) -> None:
    """A broken program of the corpus that raises gets its class, line, cause and advice."""
    program = catalogue()[f"corpus/{name}/broken"]
    record = records(of).get(program.name)
    if record is None or case_of(name).is_silent or not has_places(program, of):
        return
    score = judge(name, diagnoses(record, program, CAUSES))
    assert [] == [it for it in ASPECTS if not score.is_right(it)]


# ---------------------------------------------------------------- which rules match


@ON
def test_the_rules_that_match_are_those_of_the_table(of: str) -> None:
    """Every rule, asked of every failure, matches the programs that the table says.

    A rule that begins to match before another shows as a change of the table.
    """
    known = known_matches(of)
    left_out = {name for name in known if not has_places(catalogue()[name], of)}
    expected = {name: known[name] for name in known if name not in left_out}
    assert expected == matches(of), "run ./dev index, and look at the change of matches.txt"


@cache
def diagnosed(of: str) -> Mapping[str, Sequence[Diagnosed]]:
    """Diagnose each program of a corner by its record; an unknown fact is marked in a sentence."""
    marked = {fact: f"<{fact}>" for fact in FACTS}
    found: dict[str, Sequence[Diagnosed]] = {}
    with mock.patch.object(pages, "UNKNOWN", marked):
        for program, record in recorded(of):
            sources = {program.file: program.source}
            if record.failure is not None:
                raised = diagnose(record.failure, sources, CAUSES, record.observations)
                found[program.name] = [raised] if raised is not None else []
            else:
                certain, looks = find_all(record.observations, sources, CAUSES)
                found[program.name] = [*certain, *looks]
    return found


@ON
def test_no_rule_changes_the_source_that_it_reads(of: str) -> None:
    """A file is parsed once for all rules, so neither a rule nor a fix changes its tree."""
    changed = []
    for name, found in diagnosed(of).items():
        program = catalogue()[name]
        for it in found:
            list(propose(it))
        module = read_module(program.file, program.source)
        if module is not None and ast.dump(module.tree) != ast.dump(ast.parse(program.source)):
            changed.append(program.name)
    assert [] == changed


UNNAMED = {
    "argument": {
        "not-a-jax-type",
        "pallas-out-shape",
        "unhashable-static",
        "vmap-non-array",
    },
    "container": {"leaked-by-attribute"},
    "detail": {"lax-shapes-differ", "shape-mismatch-matmul"},
    "name": {
        "leaked-by-global",
        "pallas-out-shape",
        "specs-rank-mismatch",
        "typed-key-as-raw-array",
    },
}
"""Facts that some program of a cause does not show. A lambda has no name, whatever the cause."""


def test_what_is_said_of_programs_has_no_hole() -> None:
    """Each recorded program gets sentences with its own names, except the listed ones."""
    lacking: dict[str, set[str]] = defaultdict(set)
    for it in chain.from_iterable(diagnosed(corners()[-1]).values()):
        said = it.diagnosis.summary + it.diagnosis.advice
        for fact in FACTS if it.diagnosis.cause is not None else ():
            if fact != "function" and f"<{fact}>" in said:
                lacking[fact].add(str(it.diagnosis.cause))
    assert UNNAMED == lacking


# ---------------------------------------------------------------- the records


@pytest.fixture(scope="module")
def runs(request: pytest.FixtureRequest) -> dict[str, Record]:
    """Run the programs of the selected tests together."""
    return {record.name: record for record in run(selected(request, "program"))}


def steady(record: Record) -> Any:
    """Return a record as plain data, without the times that it took."""
    seen = tuple(
        replace(it, waited=0.0, spent=0.0) if isinstance(it, HostRead) else it
        for it in record.observations
    )
    return compact(replace(record, observations=seen))


@pytest.mark.parametrize(
    "program",
    [
        of_cause(it.cause, it, slow=bool(n % 200), needs=it.needs)
        for n, it in enumerate(catalogue().values())
    ],
    ids=lambda program: program.name,
)
def test_a_program_does_what_its_record_says(program: Program, runs: dict[str, Record]) -> None:
    """A program that is run does what was recorded, and is diagnosed alike.

    Where this Python and jax have no record of it, the diagnosis alone is compared.
    """
    record = runs[program.name]
    own = records(corner()).get(program.name)
    if own is not None:
        assert steady(own) == steady(record)
        return
    known = records(corners()[-1])[program.name]
    found, before = (diagnoses(it, program, CAUSES) for it in (record, known))
    assert [*map(shown, before)] == [*map(shown, found)]


@pytest.mark.cause
def test_every_program_is_recorded() -> None:
    """Every program whose libraries are installed has a record; `./dev record` makes it."""
    found = [record for of in corners() for record in records(of).values()]
    known = {record.name for record in found if record.problem != BROKEN}
    missing = [it for name, it in catalogue().items() if name not in known]
    assert [] == [it.name for it in missing if not without(it.needs)], "run ./dev record"


@pytest.mark.cause
@ON
def test_a_record_is_of_the_text_of_today(of: str) -> None:
    """No record is of an earlier text of its program; `./dev record` replaces or removes it."""
    programs = catalogue()
    past = [
        name
        for name, record in records(of).items()
        if name not in programs or record.digest != digest(programs[name])
    ]
    assert [] == past, "run ./dev record with the slugs of these programs"


@pytest.mark.parametrize("line", ["{", '{"name": 1, "digest": ""}', '{"name": "x"}'])
def test_a_record_that_cannot_be_read_is_named(line: str, tmp_path: Path) -> None:
    """A line that is not a record fails with its file and number."""
    path = tmp_path / "scan.jsonl"
    path.write_text('{"name": "x", "digest": "y"}\n' + line + "\n")
    with pytest.raises(ValueError, match=r"scan\.jsonl:2: "):
        read(path)
