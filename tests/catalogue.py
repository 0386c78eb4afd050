"""Lists every program whose diagnosis the tests know: programs, corpus, pages, drills, spellings.

A program's name says where it comes from: `programs/scan_carry_dtype__loop`, `corpus/a001/fixed`,
`pages/scan-carry-dtype/failing`, `drills/scan-carry-dtype/roof`, `spellings/scan-carry-dtype/3`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from jaxtutor.content.cause_pages import Library
from jaxtutor.content.drill_pages import DrillPages
from program_runner import needs_in
from spellings import RIGHT, SPELLINGS

TESTS = Path(__file__).parent
CORPUS = TESTS / "corpus"
EXPECTED = re.compile(r"# expects: ([\w-]+)(?: at (\d+))?")


class Program(msgspec.Struct, frozen=True):
    """A program, the cause that it was written for, and whether it makes that mistake.

    `line` is the line to change, where the program states it. `folder` has the files that say how
    to call a program of the corpus.
    """

    name: str
    source: str
    cause: str = ""
    is_right: bool = False
    line: int | None = None
    folder: Path | None = None

    @property
    def file(self) -> str:
        """The path of the program in its record."""
        return f"{self.name}.py"

    @property
    def needs(self) -> tuple[str, ...]:
        """The libraries that the program imports in addition to jax."""
        return needs_in(self.source)


@cache
def catalogue() -> dict[str, Program]:
    """Return every program by its name."""
    groups = (_programs(), _corpus(), _pages(), _drills(), _spellings())
    return {program.name: program for group in groups for program in group}


def expected(path: Path) -> tuple[str, int | None]:
    """Read a program's first line: the cause it has, and the line to change if it says so."""
    match = EXPECTED.match(path.read_text())
    assert match is not None
    return match[1], int(match[2]) if match[2] else None


def _programs() -> Iterator[Program]:
    for path in sorted((TESTS / "programs").glob("*.py")):
        cause, line = expected(path)
        yield Program(f"programs/{path.stem}", path.read_text(), cause, line=line)


def _corpus() -> Iterator[Program]:
    for folder in sorted(path for path in CORPUS.iterdir() if path.is_dir()):
        cause = msgspec.json.decode((folder / "case.json").read_bytes())["cause"]
        for kind in ("broken", "fixed"):
            source = (folder / f"{kind}.py").read_text()
            name = f"corpus/{folder.name}/{kind}"
            yield Program(name, source, cause, is_right=kind == "fixed", folder=folder)


def _pages() -> Iterator[Program]:
    for slug, cause in Library().items():
        needs = f"# needs: {' '.join(cause.needs)}\n" if cause.needs else ""
        kinds = [(example.kind, example) for example in cause.examples]
        for number, (kind, example) in enumerate(kinds):
            name = f"pages/{slug}/{kind}" + (f"-{number}" if kind == "fixed" else "")
            is_right = kind == "fixed"
            line = example.error_line
            yield Program(name, example.source + needs, slug, is_right=is_right, line=line)


def _drills() -> Iterator[Program]:
    for slug, drills in DrillPages().by_cause.items():
        for drill in drills:
            name = f"drills/{slug}/{drill.name}"
            yield Program(name, drill.broken, slug, line=drill.line)
            yield Program(f"{name}-fixed", drill.fixed, slug, is_right=True)


def _spellings() -> Iterator[Program]:
    for slug, sources in SPELLINGS.items():
        for number, source in enumerate(sources):
            yield Program(f"spellings/{slug}/{number}", source, slug)
    for number, source in enumerate(RIGHT):
        yield Program(f"spellings/right/{number}", source, is_right=True)
