"""Runs the long trials: `./dev trials [PART…] [--size S] [--hours H] [--table FILE]`."""

from __future__ import annotations

import argparse
import importlib
import platform
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.table import Table

import jaxtutor
from trials import PARTS, SOAK_HOURS, Figure


@dataclass(frozen=True, kw_only=True)
class Result:
    """What one part yielded, and how long it took. An exception that ended it is in `ended`."""

    part: str
    size: float
    figures: tuple[Figure, ...]
    seconds: float
    ended: str = ""

    @property
    def holds(self) -> bool:
        return not self.ended and all(figure.holds for figure in self.figures)


def main(words: Sequence[str] | None = None) -> int:
    """Run the given parts and print a line for each promise. Return 1 if one was broken."""
    parser = argparse.ArgumentParser(prog="dev trials", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; or all")
    parser.add_argument("--size", type=float, default=1.0, help="1: as in docs/reliability.md")
    parser.add_argument(
        "--hours", type=float, help="of the part soak; 4 times the size if not given"
    )
    parser.add_argument("--table", type=Path, help="write the figures to this file, as Markdown")
    given = parser.parse_args(words)
    if unknown := sorted(set(given.parts) - set(PARTS)):
        parser.error(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    # A shell lets background jobs ignore it, and the programs under trial would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    console = Console(soft_wrap=True)
    console.print(f"jaxtutor of {Path(jaxtutor.__file__).parent}", markup=False)
    results: list[Result] = []
    for part in given.parts or PARTS:
        is_timed = part == "soak" and given.hours is not None
        size = given.hours / SOAK_HOURS if is_timed else given.size
        results.append(run_part(part, find(part), size))
        show(results[-1], console)
        # After each part, so that a run of hours that is interrupted leaves what it found.
        if given.table:
            write_table(given.table, results[-1])
    return 0 if all(result.holds for result in results) else 1


def find(part: str) -> Callable[[float], Iterable[Figure]]:
    """Return the function that runs a part."""
    run: Callable[[float], Iterable[Figure]] = importlib.import_module(f"trials.{part}").run
    return run


def run_part(part: str, run: Callable[[float], Iterable[Figure]], size: float) -> Result:
    """Run one part. An exception ends this part only, and counts as a broken promise."""
    began, ended = time.monotonic(), ""
    figures: list[Figure] = []
    try:
        figures.extend(run(size))
    except Exception as problem:
        ended = f"{type(problem).__name__}: {problem}"
    seconds = time.monotonic() - began
    return Result(part=part, size=size, figures=tuple(figures), seconds=seconds, ended=ended)


def show(result: Result, console: Console) -> None:
    """Print the figures of one part, and every failure."""
    table = Table("promise", "tried", "held", "seen", box=None, title=result.part)
    table.title_justify = "left"
    for figure in result.figures:
        table.add_row(figure.promise, f"{figure.tried:,}", f"{figure.held:,}", figure.detail)
    console.print(table)
    for figure in result.figures:
        if not figure.holds:
            console.print(f"broken: {figure.promise}", style="red", markup=False)
            for failure in figure.failures:
                console.print(f"    {failure}", markup=False)
    if result.ended:
        console.print(f"ended by {result.ended}", style="red", markup=False)
    console.print(f"{result.seconds:.0f} s\n")


def write_table(path: Path, result: Result) -> None:
    """Write the figures of one part to a page, which keeps those of the other parts."""
    figures, runs = read_table(path)
    figures[result.part] = [
        f"| {result.part} | {cell(figure.promise)} | {figure.tried:,} | {figure.held:,} |"
        for figure in result.figures
    ]
    if result.ended:
        figures[result.part].append(
            f"| {result.part} | runs to its end: {cell(result.ended)} | 1 | 0 |"
        )
    runs[result.part] = [
        f"| {result.part} | {result.size:.3g} | {result.seconds:,.0f} "
        f"| {datetime.now(UTC):%Y-%m-%d} | {jaxtutor.__version__} | {platform.python_version()} "
        f"| {version('jax')} | {platform.system()} |"
    ]
    lines = [*INTRODUCTION, *(row for part in PARTS for row in figures.get(part, ()))]
    lines += ["", *RUNS, *(row for part in PARTS for row in runs.get(part, ()))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_table(path: Path) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the rows of both tables of a page, by part; of a missing page, none."""
    tables: tuple[dict[str, list[str]], ...] = ({}, {})
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    before, _, after = text.partition("\n" + RUNS[0])
    for rows, half in zip(tables, (before, after), strict=True):
        for line in half.splitlines():
            part = line.removeprefix("| ").partition(" |")[0]
            if part in PARTS:
                rows.setdefault(part, []).append(line)
    return tables[0], tables[1]


INTRODUCTION = (
    "# The long trials",
    "",
    "Written by `./dev trials --table docs/trials.md`. A part that is run again replaces its own",
    "rows. [reliability.md](reliability.md) says what is promised, and how each promise is tried.",
    "",
    "| part | promise | tried | held |",
    "|---|---|---|---|",
)
RUNS = (
    "| part | size | seconds | date | jaxtutor | Python | jax | system |",
    "|---|---|---|---|---|---|---|---|",
)


def cell(text: str) -> str:
    """Return text that stays in its cell of a Markdown table."""
    return " ".join(text.replace("|", "\\|").split())


if __name__ == "__main__":
    sys.exit(main())
