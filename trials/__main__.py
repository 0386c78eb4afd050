"""Runs the long trials: `./dev trials [PART…] [--size S] [--shard K/N] [--table FILE]`."""

from __future__ import annotations

import argparse
import importlib
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

import jaxtutor
from trials import PARTS, SHARDED, SOAK_HOURS, Figure, Result, Share, page

PAGE = Path(__file__).parent.parent / "docs" / "trials.md"


def main(words: Sequence[str] | None = None) -> int:
    """Run the given parts and print a line for each promise. Return 1 if one was broken."""
    parser = argparse.ArgumentParser(prog="dev trials", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; or all")
    parser.add_argument("--size", type=float, default=1.0, help="1: as in docs/reliability.md")
    parser.add_argument(
        "--hours", type=float, help="of the part soak; 4 times the size if not given"
    )
    parser.add_argument(
        "--shard",
        type=read_shard,
        metavar="K/N",
        help=f"run the K-th of N shards of {', '.join(SHARDED)}, and add a row to docs/trials.md",
    )
    parser.add_argument("--table", type=Path, help="write the figures to this file, as Markdown")
    given = parser.parse_args(words)
    if unknown := sorted(set(given.parts) - set(PARTS)):
        parser.error(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    if given.shard and (whole := sorted(set(given.parts or PARTS) - set(SHARDED))):
        parser.error(f"no shards of {', '.join(whole)}: only {', '.join(SHARDED)} can be split")
    # A shell lets background jobs ignore it, and the programs under trial would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    console = Console(soft_wrap=True)
    commit = page.find_commit()
    table = given.table or (PAGE if given.shard else None)
    console.print(f"jaxtutor of {Path(jaxtutor.__file__).parent}", markup=False)
    results: list[Result] = []
    for part in given.parts or PARTS:
        is_timed = part == "soak" and given.hours is not None
        size = given.hours / SOAK_HOURS if is_timed else given.size
        share = replace(given.shard or Share(), size=size)
        results.append(run_part(part, find(part), share))
        show(results[-1], console)
        # After each part, so that a run of hours that is interrupted leaves what it found.
        if table:
            page.add(table, results[-1], commit)
    return 0 if all(result.holds for result in results) else 1


def read_shard(text: str) -> Share:
    """Read the option `--shard`."""
    shard, slash, shards = text.partition("/")
    if not (slash and shard.isdecimal() and shards.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form K/N, such as 3/8")
    if not 1 <= int(shard) <= int(shards):
        raise argparse.ArgumentTypeError(f"{text!r}: the first number must be from 1 to {shards}")
    return Share(shard=int(shard), shards=int(shards))


def find(part: str) -> Callable[[Share], Iterable[Figure]]:
    """Return the function that runs a part."""
    run: Callable[[Share], Iterable[Figure]] = importlib.import_module(f"trials.{part}").run
    return run


def run_part(part: str, run: Callable[[Share], Iterable[Figure]], share: Share) -> Result:
    """Run one part. An exception ends this part only, and counts as a broken promise."""
    began, ended = time.monotonic(), ""
    figures: list[Figure] = []
    try:
        # A promise with few trials has none in some shards, which say nothing about it then.
        whole = share.shards == 1
        figures.extend(it for it in run(share) if it.tried or it.not_tried or whole)
    except Exception as problem:
        ended = f"{type(problem).__name__}: {problem}"
    seconds = time.monotonic() - began
    return Result(part=part, share=share, figures=tuple(figures), seconds=seconds, ended=ended)


def show(result: Result, console: Console) -> None:
    """Print the figures of one part, and every failure."""
    name = f"{result.part} {result.share}" if result.share.shards > 1 else result.part
    table = Table("promise", "tried", "held", "seen", box=None, title=name)
    table.title_justify = "left"
    for figure in result.figures:
        table.add_row(figure.promise, f"{figure.tried:,}", f"{figure.held:,}", seen(figure))
    console.print(table)
    for figure in result.figures:
        if not figure.holds:
            console.print(f"broken: {figure.promise}", style="red", markup=False)
            for failure in figure.failures:
                console.print(f"    {failure}", markup=False)
    if result.ended:
        console.print(f"ended by {result.ended}", style="red", markup=False)
    console.print(f"{result.seconds:.0f} s\n")


def seen(figure: Figure) -> str:
    """Return what was seen, or why the promise was not tried."""
    return f"not tried: {figure.not_tried}" if figure.not_tried else figure.detail


if __name__ == "__main__":
    sys.exit(main())
