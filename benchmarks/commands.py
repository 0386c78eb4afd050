"""Measures the processor time of the commands that need no jax, and of shell completion."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from benchmarks import Columns, Options, Row
from benchmarks.interleave import TUTOR, compare, processor_time, surroundings

COLUMNS = Columns(
    "commands without jax, processor time of a whole process",
    floor="import typer, rich",
    rival="python -c pass",
    notes=("An answer at Tab needs no rich, and its floor is `import typer`.",),
)
OF_FLOOR, OF_TYPER, MOST = 1.3, 1.1, 100.0
# `hint --again`, because after the last hint a fix is tried, which needs jax
LINES = (
    "--help",
    "list",
    "hint --again",
    "show",
    "explain",
    "explain traced-bool-in-if",
    "history",
    "stats",
    "review",
)
WORDS = ("hi", "hint sa", "explain traced", "check --device c")


def run(options: Options) -> Iterator[Row]:
    """Measure each command in turn with the floor."""
    environ = surroundings(options.home, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    for line in LINES:
        yield _measure(line, line.split(), environ, options.repeats, "import typer, rich", OF_FLOOR)
    for words in WORDS:
        asked = ["jaxtutor", *words.split()]
        tab = {
            "_JAXTUTOR_COMPLETE": "complete_bash",
            "COMP_WORDS": "\n".join(asked),
            "COMP_CWORD": str(len(asked) - 1),
        }
        found = {**environ, **tab}
        yield _measure(f"Tab: {words}", [], found, options.repeats, "import typer", OF_TYPER)


def _measure(
    name: str, line: list[str], environ: dict[str, str], repeats: int, floor: str, most: float
) -> Row:
    taken = compare(
        repeats,
        {
            "ours": processor_time(*TUTOR, *line, environ=environ),
            "floor": processor_time(sys.executable, "-c", floor, environ=environ),
            "rival": processor_time(sys.executable, "-c", "pass", environ=environ),
        },
    )
    return Row(name=name, **taken, aim=MOST, of_floor=most)
