"""Owns the carrying out of many command lines in one process, with all that they open seen.

    python -m trials.courses.driver ASKED ANSWERED

ASKED holds a list of `Asked` as JSON, lone surrogates and all. ANSWERED gets a list of
`Answered`, written anew after each: what was done before a command that never ends is known.
"""

from __future__ import annotations

import io
import json
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from jaxtutor.system.streams import NEAREST


class Asked(Struct, frozen=True):
    """A command line, and whether a person seems to look at what it prints."""

    words: tuple[str, ...]
    looks: bool = False


class Answered(Struct, frozen=True):
    """What became of one: its status, what it printed, how long it took, which files it opened.

    `started` are the programs that it started, without those that are Python.
    """

    words: tuple[str, ...]
    looks: bool
    status: int
    out: bytes
    err: bytes
    seconds: float
    opened: tuple[str, ...]
    started: tuple[str, ...]


class _Screen(io.TextIOWrapper):
    """A stream as the program makes its own, which says that a person looks at it, or not."""

    def __init__(self, looks: bool) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", errors=NEAREST, newline="\n")
        self._looks = looks

    def isatty(self) -> bool:
        return self._looks

    def taken(self) -> bytes:
        self.flush()
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue()


class _Ears:
    """What the audit hook hears; a hook cannot be taken away again."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.started: list[str] = []
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str | bytes):
            self.opened.append(os.fsdecode(arguments[0]))
        elif event == "subprocess.Popen":
            self.started.append(os.fsdecode(arguments[0] or ""))


def carry_out(asked: Asked, ears: _Ears) -> Answered:
    """Carry out one command line."""
    from jaxtutor.cli import run

    ears.opened.clear()
    ears.started.clear()
    out, err = _Screen(asked.looks), _Screen(asked.looks)
    before = sys.stdout, sys.stderr
    began = time.monotonic()
    sys.stdout, sys.stderr = out, err
    try:
        status = run(list(asked.words))
    finally:
        sys.stdout, sys.stderr = before
    return Answered(
        tuple(map(_spell, asked.words)),
        asked.looks,
        status,
        out.taken(),
        err.taken(),
        time.monotonic() - began,
        _spelt(ears.opened),
        _spelt(name for name in ears.started if name != sys.executable),
    )


def _spelt(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(_spell, dict.fromkeys(names)))


def _spell(name: str) -> str:
    """Spell a name so that it can be sent: it may be any bytes."""
    return name.encode("utf-8", "backslashreplace").decode()


def main() -> None:
    """Carry out what is asked for, one after another."""
    asked = msgspec.convert(json.loads(Path(sys.argv[1]).read_bytes()), list[Asked])
    place = Path(sys.argv[2])
    sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - for as long as we live
    ears = _Ears()
    answers = []
    for one in asked:
        answers.append(carry_out(one, ears))
        place.write_bytes(msgspec.json.encode(answers))


if __name__ == "__main__":
    main()
