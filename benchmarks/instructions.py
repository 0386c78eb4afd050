"""Counts the instructions of the commands that need no jax, which do not depend on the load."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks import Columns, Options, Row
from benchmarks.commands import commands
from benchmarks.interleave import instructions, processor_time, surroundings

COLUMNS = Columns(
    "commands without jax, instructions of a whole process",
    floor="import typer, rich",
    rival="python -c pass",
    notes=("Counted by valgrind's cachegrind, each once: a second count is almost the same.",),
    counted=True,
)


def run(options: Options) -> Iterator[Row]:
    """Count each command, its floor and an empty program, after a run that fills caches."""
    environ = surroundings(options.home, PYTHONHASHSEED="0")
    counted: dict[str, float] = {}
    for command in commands():
        for take in command.sides(processor_time, environ).values():
            take()
        sides = command.sides(instructions, environ)
        for name, key in (("floor", command.floor), ("rival", "pass")):
            if key not in counted:
                counted[key] = sides[name]()
        yield Row(
            name=command.name,
            ours=[sides["ours"]()],
            floor=[counted[command.floor]],
            rival=[counted["pass"]],
            unit="million",
            of_floor=command.of_floor,
        )
