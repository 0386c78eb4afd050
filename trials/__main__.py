"""Runs the long trials: `./dev trials [PART…] [--size S]`."""

from __future__ import annotations

import argparse
import importlib
import sys
import time

from rich.console import Console
from rich.table import Table

from trials import PARTS, Figure


def main() -> int:
    """Run the given parts and print a line for each promise. Return 1 if one was broken."""
    parser = argparse.ArgumentParser(prog="dev trials", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; or all")
    parser.add_argument("--size", type=float, default=1.0, help="1: as in docs/reliability.md")
    given = parser.parse_args()
    if unknown := sorted(set(given.parts) - set(PARTS)):
        parser.error(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    console = Console(soft_wrap=True)
    held = True
    for part in given.parts or PARTS:
        began = time.monotonic()
        table = Table(
            "promise", "tried", "held", "seen", box=None, title=part, title_justify="left"
        )
        broken: list[Figure] = []
        for figure in importlib.import_module(f"trials.{part}").run(given.size):
            table.add_row(figure.promise, f"{figure.tried:,}", f"{figure.held:,}", figure.detail)
            if not figure.holds:
                broken.append(figure)
        console.print(table)
        for figure in broken:
            console.print(f"broken: {figure.promise}", style="red", markup=False)
            for failure in figure.failures:
                console.print(f"    {failure}", markup=False)
        console.print(f"{time.monotonic() - began:.0f} s\n")
        held = held and not broken
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
