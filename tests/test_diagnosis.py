"""Owns the gate of the matchers: programs of every cause get that cause, at the line to change."""

from __future__ import annotations

import re
import textwrap
from functools import cache
from pathlib import Path

import pytest

from bodies import BODIES, CALL, IMPORTS, PRELUDE, RIGHT, STATEMENTS
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.model import Diagnosis
from jaxtutor.core.diagnosis.diagnose import diagnose
from jaxtutor.core.diagnosis.families import MATCHERS
from jaxtutor.core.diagnosis.findings import find
from program_pool import run_programs
from program_runner import Ran

PROGRAMS = tuple(sorted((Path(__file__).parent / "programs").glob("*.py")))
EXPECTED = re.compile(r"# expects: ([\w-]+)(?: at (\d+))?")
QUICK = PROGRAMS[::14]


def expected(path: Path) -> tuple[str, int | None]:
    """Read a program's first line: the cause it has, and the line to change if it says so."""
    match = EXPECTED.match(path.read_text())
    assert match is not None
    return match[1], int(match[2]) if match[2] else None


def diagnosis_of(ran: Ran) -> Diagnosis | None:
    """Diagnose what became of a program; the only finding if it did not raise."""
    sources = {ran.path: Path(ran.path).read_text()}
    if ran.failure is not None:
        return diagnose(ran.failure, sources, {})
    found = find(ran.observations, sources, {})
    return found[0] if len(found) == 1 else None


@cache
def outcomes(paths: tuple[Path, ...]) -> dict[str, Ran]:
    """Run some programs once for all tests."""
    return run_programs([str(path) for path in paths])


def check(path: Path, ran: Ran) -> None:
    """Compare a program's diagnosis with what its first line expects."""
    cause, line = expected(path)
    found = diagnosis_of(ran)
    assert found is not None
    at = found.span.line if found.span is not None else None
    assert (cause, line or at) == (found.cause, at)


@pytest.mark.parametrize("path", QUICK, ids=lambda path: path.stem)
def test_a_program_gets_its_cause_and_line(path: Path) -> None:
    """A program gets the cause it was written for, at the line to change."""
    check(path, outcomes(QUICK)[str(path)])


@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_every_program_gets_its_cause_and_line(path: Path) -> None:
    """Every program gets the cause it was written for, at the line to change."""
    check(path, outcomes(PROGRAMS)[str(path)])


def program_of(body: str) -> str:
    """Make a program of the body of a function."""
    return f"{PRELUDE}{textwrap.indent(body, '    ')}\n{CALL}\n"


def wrong_causes(folder: Path, chosen: list[tuple[str, str]]) -> list[tuple[str, str, str | None]]:
    """List the programs that do not get their cause, with the one they get."""
    paths = []
    for number, (_, source) in enumerate(chosen):
        path = folder / f"program_{number}.py"
        path.write_text(source)
        paths.append(str(path))
    ran = run_programs(paths)
    found = [diagnosis_of(ran[path]) for path in paths]
    causes = [diagnosis.cause if diagnosis else None for diagnosis in found]
    return [(c, b, got) for (c, b), got in zip(chosen, causes, strict=True) if got != c]


BODIED = [(cause, program_of(b)) for cause, bodies in BODIES.items() for b in bodies]
STATED = [(cause, IMPORTS + s + "\n") for cause, all_ in STATEMENTS.items() for s in all_]


def test_some_bodies_get_their_cause(tmp_path: Path) -> None:
    """Some small functions are diagnosed as their cause and no other."""
    assert [] == wrong_causes(tmp_path, BODIED[::29])


@pytest.mark.slow
def test_every_body_gets_its_cause(tmp_path: Path) -> None:
    """Every spelling of a mistake in a function gets the same cause."""
    assert [] == wrong_causes(tmp_path, BODIED)


@pytest.mark.slow
def test_every_statement_gets_its_cause(tmp_path: Path) -> None:
    """Every spelling of a mistake in a short program gets the same cause."""
    assert [] == wrong_causes(tmp_path, STATED)


@pytest.mark.slow
def test_right_programs_get_no_finding(tmp_path: Path) -> None:
    """Nothing is said of programs that do on purpose what others do by mistake."""
    for number, source in enumerate(RIGHT):
        (tmp_path / f"right_{number}.py").write_text(IMPORTS + source)
    paths = [str(tmp_path / f"right_{number}.py") for number in range(len(RIGHT))]
    ran = run_programs(paths)
    assert [None] * len(RIGHT) == [ran[path].failure for path in paths]
    found = {p: find(ran[p].observations, {p: Path(p).read_text()}, {}) for p in paths}
    assert {} == {p: [f.cause for f in some] for p, some in found.items() if some}


def failing_blocks() -> dict[str, tuple[str, int]]:
    """Give the failing block and erring line of every page whose cause raises."""
    library = Library()
    return {
        slug: (example.source, example.error_line)
        for slug, cause in library.items()
        for example in cause.examples
        if example.kind == "failing" and cause.raises and example.error_line is not None
    }


@pytest.mark.slow
def test_the_failing_block_of_every_page_is_diagnosed_as_that_cause(tmp_path: Path) -> None:
    """A page's failing block gets its cause; the marked line raises it or is to change."""
    blocks = failing_blocks()
    for slug, (source, _) in blocks.items():
        (tmp_path / f"{slug}.py").write_text(source)
    ran = run_programs([str(tmp_path / f"{slug}.py") for slug in blocks])
    wrong = {}
    for slug, (_, line) in blocks.items():
        found = diagnosis_of(ran[str(tmp_path / f"{slug}.py")])
        lines = [found.span.line] if found is not None and found.span is not None else []
        if found is not None and found.raised_at is not None:
            lines.append(found.raised_at.span.line)
        if found is None or found.cause != slug or line not in lines:
            wrong[slug] = (found and found.cause, line, lines)
    assert {} == wrong


def test_a_cause_has_one_matcher() -> None:
    """No cause has two matchers."""
    slugs = [slug for slug, _ in MATCHERS]
    assert sorted(set(slugs)) == sorted(slugs)


def test_every_program_is_of_a_known_cause() -> None:
    """The first line of every program names a cause that has a page."""
    pages = {p.stem for p in (Path(__file__).parent.parent / "jaxtutor" / "causes").glob("*.md")}
    assert set() == {expected(path)[0] for path in PROGRAMS} - pages


def test_every_raising_matcher_has_a_program() -> None:
    """Each matcher is asked by at least one program or body of its cause."""
    tried = {expected(path)[0] for path in PROGRAMS} | set(BODIES) | set(STATEMENTS)
    assert set() == {slug for slug, _ in MATCHERS} - tried
