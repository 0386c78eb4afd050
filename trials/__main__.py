"""Runs the long trials: `./dev trials [PART…] [--size S] [--table FILE]`."""

from __future__ import annotations

import argparse
import importlib
import platform
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.table import Table

import jaxtutor
from trials import PARTS, Figure


@dataclass(frozen=True, kw_only=True)
class Result:
    """What one part yielded, and how long it took. An exception that ended it is in `ended`."""

    part: str
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
    parser.add_argument("--table", type=Path, help="write the figures to this file, as Markdown")
    given = parser.parse_args(words)
    if unknown := sorted(set(given.parts) - set(PARTS)):
        parser.error(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    console = Console(soft_wrap=True)
    console.print(f"jaxtutor of {Path(jaxtutor.__file__).parent}", markup=False)
    results: list[Result] = []
    for part in given.parts or PARTS:
        results.append(run_part(part, find(part), given.size))
        show(results[-1], console)
        # After each part, so that a run of hours that is interrupted leaves what it found.
        if given.table:
            given.table.write_text(as_markdown(results, given.size), encoding="utf-8")
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
    return Result(part=part, figures=tuple(figures), seconds=seconds, ended=ended)


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


def as_markdown(results: Sequence[Result], size: float) -> str:
    """Return the figures as a page, with the versions and the system that they are true of."""
    lines = [
        "# The long trials, in one run",
        "",
        "Written by `./dev trials --table docs/trials.md`. [reliability.md](reliability.md) says",
        "what is promised, and how each promise is tried.",
        "",
        f"Size {size:g}; jaxtutor {jaxtutor.__version__}, Python {platform.python_version()}, "
        f"jax {version('jax')}, {platform.system()}.",
        "",
        "| part | promise | tried | held |",
        "|---|---|---|---|",
    ]
    for result in results:
        lines += [
            f"| {result.part} | {cell(figure.promise)} | {figure.tried:,} | {figure.held:,} |"
            for figure in result.figures
        ]
        if result.ended:
            lines.append(f"| {result.part} | runs to its end: {cell(result.ended)} | 1 | 0 |")
    lines += ["", "| part | seconds |", "|---|---|"]
    lines += [f"| {result.part} | {result.seconds:,.0f} |" for result in results]
    return "\n".join(lines) + "\n"


def cell(text: str) -> str:
    """Return text that stays in its cell of a Markdown table."""
    return " ".join(text.replace("|", "\\|").split())


if __name__ == "__main__":
    sys.exit(main())
