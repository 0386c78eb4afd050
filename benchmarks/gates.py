"""Writes the table of the course's gates into docs/reliability.md: `./dev bench gates FILE…`.

Each file has what `lesson test --json` printed: the whole course, or a shard of it. The files of
one Python and one jax are one row.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import ROOT, machine
from jaxtutor.content.loading import load_course

PAGE = ROOT / "docs" / "reliability.md"
START, END = "<!-- gates of the course -->\n", "<!-- end of the gates -->"
HEADS = (
    "Python",
    "jax",
    "lessons",
    "right submissions accepted",
    "wrong ones rejected, for the reason named",
    "starters rejected",
    "gates that hold",
    "not checked",
    "processor seconds a submission",
    "date",
    "commit",
)
_BLOCK = re.compile(f"(?<={START})(.*?)(?={END})", re.S)

Run = dict[str, Any]
"""What one `lesson test --json` printed."""
Versions = tuple[str, str]
"""The versions of Python and jax."""


@dataclass(frozen=True)
class Tally:
    """How many gates were run, and how many of them hold."""

    held: int
    tried: int

    def __str__(self) -> str:
        """Return the counts as a cell of the table."""
        return f"{self.held:,} of {self.tried:,}"


def main(words: Sequence[str]) -> int:
    """Write a row for each pair of versions, or say which lessons have no result."""
    parser = argparse.ArgumentParser(prog="dev bench gates", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    given = parser.parse_args(words)
    by_versions: dict[Versions, list[Run]] = {}
    for file in given.files:
        run = json.loads(file.read_text(encoding="utf-8"))
        by_versions.setdefault((run["python"], run["jax_version"]), []).append(run)
    course = [lesson.slug for lesson in load_course(None).every_lesson]
    for versions, runs in by_versions.items():
        if missing := find_untested(runs, course):
            parser.error(f"{' with jax '.join(versions)}: not tested: {', '.join(missing)}")
    when = f"{datetime.now(UTC):%Y-%m-%d}", machine.find_commit()
    write(PAGE, [draw_row(versions, runs, when) for versions, runs in by_versions.items()])
    return 0


def find_untested(runs: Iterable[Run], course: Iterable[str]) -> list[str]:
    """List the lessons of the course without a gate, such as those that `--resume` skipped."""
    tested = {gate["lesson"] for run in runs for gate in run["gates"]}
    return [slug for slug in course if slug not in tested]


def draw_row(versions: Versions, runs: Sequence[Run], when: tuple[str, str]) -> str:
    """Return the row of some runs. Of a lesson in several, the gates of the last one count."""
    newest: dict[str, list[Run]] = {}
    for run in runs:
        newest |= _by_lesson(run["gates"])
    gates = [gate for of_lesson in newest.values() for gate in of_lesson]
    submissions = sum(_is_submission(gate) for run in runs for gate in run["gates"])
    seconds = sum(run["processor_seconds"] for run in runs)
    cells = (
        *versions,
        str(len(newest)),
        str(_tally(gates, "solution", "also/")),
        str(_tally(gates, "mistakes/")),
        str(_tally(gates, "starter")),
        str(_tally(gates, "")),
        str(sum(gate["status"] == "skipped" for gate in gates)),
        f"{seconds / max(submissions, 1):.2f}",
        *when,
    )
    return _line(cells)


def _by_lesson(gates: Iterable[Run]) -> dict[str, list[Run]]:
    found: dict[str, list[Run]] = {}
    for gate in gates:
        found.setdefault(gate["lesson"], []).append(gate)
    return found


def _is_submission(gate: Run) -> bool:
    """Return whether a gate checks a file as a learner's is checked."""
    name: str = gate["gate"]
    return name.startswith(("solution", "starter", "also/", "mistakes/"))


def _tally(gates: Iterable[Run], *names: str) -> Tally:
    """Count the gates whose name begins so; those that were not checked are left out."""
    chosen = [it["status"] for it in gates if it["gate"].startswith(names)]
    held = chosen.count("passed")
    return Tally(held, held + chosen.count("failed"))


def write(page: Path, rows: Iterable[str]) -> None:
    """Put rows into the table of a page, in place of those of the same Pythons."""
    text = page.read_text(encoding="utf-8")
    if not (block := _BLOCK.search(text)):
        raise ValueError(f"{page} has no lines {START.strip()} and {END}")
    before = re.findall(r"^\| \d.*\n", block[0], re.M)
    kept = {_minor(row): row for row in (*before, *rows)}
    drawn = _line(HEADS) + _line("---" for _ in HEADS) + "".join(kept[it] for it in sorted(kept))
    page.write_text(text[: block.start()] + drawn + text[block.end() :], encoding="utf-8")


def _minor(row: str) -> tuple[int, ...]:
    """Return the version of Python in the first cell of a row, such as (3, 13)."""
    python = row.removeprefix("| ").partition(" ")[0]
    return tuple(map(int, python.split(".")[:2]))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"
