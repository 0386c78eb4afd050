"""Measures the processor time of the commands that need no jax, and of shell completion."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

from benchmarks import Columns, Options, Row
from benchmarks.interleave import TUTOR, Take, compare, processor_time, surroundings

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
Measure = Callable[..., Take]


class Command(NamedTuple):
    """One command line: its arguments and variables, what it is compared with, and the aim."""

    name: str
    line: list[str]
    variables: dict[str, str]
    floor: str
    of_floor: float

    def sides(self, measure: Measure, environ: dict[str, str]) -> dict[str, Take]:
        """Return what measures the command, its floor and an empty program."""
        environ = {**environ, **self.variables}
        return {
            "ours": measure(*TUTOR, *self.line, environ=environ),
            "floor": measure(sys.executable, "-c", self.floor, environ=environ),
            "rival": measure(sys.executable, "-c", "pass", environ=environ),
        }


def run(options: Options) -> Iterator[Row]:
    """Measure each command in turn with the floor."""
    environ = surroundings(options.home)
    for command in commands():
        taken = compare(options.repeats, command.sides(processor_time, environ))
        yield Row(name=command.name, **taken, aim=MOST, of_floor=command.of_floor)


def commands() -> Iterator[Command]:
    """Yield every command, and every word that a shell completes."""
    for line in LINES:
        yield Command(line, line.split(), {}, "import typer, rich", OF_FLOOR)
    for words in WORDS:
        asked = ["jaxtutor", *words.split()]
        variables = {
            "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1",
            "_JAXTUTOR_COMPLETE": "complete_bash",
            "COMP_WORDS": "\n".join(asked),
            "COMP_CWORD": str(len(asked) - 1),
        }
        yield Command(f"Tab: {words}", [], variables, "import typer", OF_TYPER)
