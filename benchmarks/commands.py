"""Measures the commands that need no jax, and shell completion."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from benchmarks import Columns, Options, Row
from benchmarks.interleave import TUTOR, compare, process, surroundings

COLUMNS = Columns(
    "commands without jax, each a whole process",
    floor="import typer, rich",
    rival="python -c pass",
    notes=("An answer at Tab needs no rich, and can be quicker than the floor.",),
)
OF_FLOOR, MOST = 1.2, 150.0
# `hint --again`, because after the last hint a fix is tried, which needs jax
LINES = ("--help", "list", "hint --again", "show", "history", "stats", "review")
WORDS = ("hi", "hint sa", "explain traced", "check --device c")


def run(options: Options) -> Iterator[Row]:
    """Measure each command in turn with the floor."""
    environ = surroundings(options.home, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    for line in LINES:
        yield _measure(line, line.split(), environ, options.repeats)
    for words in WORDS:
        asked = ["jaxtutor", *words.split()]
        tab = {
            "_JAXTUTOR_COMPLETE": "complete_bash",
            "COMP_WORDS": "\n".join(asked),
            "COMP_CWORD": str(len(asked) - 1),
        }
        yield _measure(f"Tab: {words}", [], {**environ, **tab}, options.repeats)


def _measure(name: str, line: list[str], environ: dict[str, str], repeats: int) -> Row:
    taken = compare(
        repeats,
        {
            "ours": process(*TUTOR, *line, environ=environ),
            "floor": process(sys.executable, "-c", "import typer, rich", environ=environ),
            "rival": process(sys.executable, "-c", "pass", environ=environ),
        },
    )
    return Row(name=name, **taken, aim=MOST, of_floor=OF_FLOOR)
