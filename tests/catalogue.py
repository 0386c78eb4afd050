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
EXPECTED = re.compile(r"# expects: ([\w-]+)(?: at (\d+))?$", re.MULTILINE)
NOTHING = "nothing"
"""What a right program of `programs/` expects."""


class Program(msgspec.Struct, frozen=True):
    """A program, the cause that it was written for, and whether it is right: it only looks alike.

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


def program_in(path: Path) -> Program:
    """Read a program of `programs/`: its name has the cause, its first line what is expected.

    Raises ValueError that names the file, and says what its first line should be.
    """
    source = path.read_text(encoding="utf-8")
    cause = path.stem.partition("__")[0].replace("_", "-")
    match = EXPECTED.match(source)
    if match is None or match[1] not in (cause, NOTHING):
        first = f"`# expects: {cause} at LINE`, or `# expects: {NOTHING}` of a right program"
        raise ValueError(f"{path}:1: the first line should be {first}")
    line = int(match[2]) if match[2] else None
    name = f"programs/{path.stem}"
    return Program(name, source, cause, is_right=match[1] == NOTHING, line=line)


def _programs() -> Iterator[Program]:
    yield from map(program_in, sorted((TESTS / "programs").glob("*.py")))


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
