"""Runs many command lines in one process, and records the files that each one opens.

    python -m trials.courses.driver INVOCATIONS RESULTS

INVOCATIONS contains a list of `Invocation` as JSON, with lone surrogates. RESULTS gets a list of
`Result`, written again after each one, so that the results before a hang are known.
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


class Invocation(Struct, frozen=True):
    """A command line, and whether its output seems to be a terminal."""

    words: tuple[str, ...]
    looks: bool = False


class Result(Struct, frozen=True):
    """The result of one command line: status, output, seconds, and the files it opened.

    `started` lists the programs that it started, except Python.
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
    """A stream like the program's own, which claims to be a terminal or not."""

    def __init__(self, looks: bool) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", errors=NEAREST, newline="\n")
        self._looks = looks

    def isatty(self) -> bool:
        return self._looks

    def text(self) -> bytes:
        self.flush()
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue()


class _AuditLog:
    """Records events of the audit hook, which cannot be removed again."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.started: list[str] = []
        sys.addaudithook(self._record)

    def _record(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str | bytes):
            self.opened.append(os.fsdecode(arguments[0]))
        elif event == "subprocess.Popen":
            self.started.append(os.fsdecode(arguments[0] or ""))


def carry_out(invocation: Invocation, audit_log: _AuditLog) -> Result:
    """Run one command line."""
    from jaxtutor.cli import run

    audit_log.opened.clear()
    audit_log.started.clear()
    out, err = _Screen(invocation.looks), _Screen(invocation.looks)
    before = sys.stdout, sys.stderr
    began = time.monotonic()
    sys.stdout, sys.stderr = out, err
    try:
        status = run(list(invocation.words))
    finally:
        sys.stdout, sys.stderr = before
    return Result(
        tuple(map(_spell, invocation.words)),
        invocation.looks,
        status,
        out.text(),
        err.text(),
        time.monotonic() - began,
        _spelt(audit_log.opened),
        _spelt(name for name in audit_log.started if name != sys.executable),
    )


def _spelt(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(_spell, dict.fromkeys(names)))


def _spell(name: str) -> str:
    """Return a name of arbitrary bytes in a form that JSON can hold."""
    return name.encode("utf-8", "backslashreplace").decode()


def main() -> None:
    """Run the command lines one after another."""
    invocations = msgspec.convert(json.loads(Path(sys.argv[1]).read_bytes()), list[Invocation])
    place = Path(sys.argv[2])
    sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - for as long as we live
    audit_log = _AuditLog()
    answers = []
    for one in invocations:
        answers.append(carry_out(one, audit_log))
        place.write_bytes(msgspec.json.encode(answers))


if __name__ == "__main__":
    main()
