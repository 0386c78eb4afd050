"""Tries foreign courses: whatever they contain is displayed but never executed or followed.

Without consent nothing of a course runs, no command reads or writes outside it, every fault is
reported with its file, and no command takes long or prints a traceback.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from trials import Figure
from trials.courses.driver import Invocation, Result
from trials.courses.traps import OBEYED, SECRET, TRAPS, Spot, lay_out
from trials.courses.tree import Command, commands

SECONDS = 20.0
"""Time limit in seconds for a command that runs nothing of the course, 200 times the usual."""

_STYLE = re.compile(
    rb"\x1b\[(?!7777m)[\d;]*m|\x1b\[\?25[lh]|\r?\x1b\[(?:2K|1A)|\r(?:[\w ]+: \d+ s )?\x1b\[K"
)
"""jaxtutor's own escape sequences: styles, cursor moves of the progress bar, and the line that says
how long a command has been working."""
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")
_OURS = ("Traceback (most recent call last)", "Internal error in jaxtutor")
_ALLOWED = frozenset({0, 1, 2, 3})
_SLOW_START = frozenset({"devices", "doctor", "explain", "diagnose"})
"""Commands that do not depend on a course, or are slow everywhere."""


def invocations_of(spot: Spot, thorough: bool = True) -> list[Invocation]:
    """Return every command that takes a course, for the spoilt lesson and for none.

    With `thorough`, each is also run with other output options than a terminal's.
    """
    invocations = []
    for command in commands():
        if not command.takes("--course") or command.words[0] in _SLOW_START:
            continue
        for words in _filled(command, spot):
            given = (*words, "--course", str(spot.course))
            invocations.append(Invocation(given, looks=True))
            if not thorough:
                continue
            invocations.append(Invocation(given))
            if command.takes("--plain"):
                invocations.append(Invocation((*given, "--plain")))
            if command.takes("--json"):
                invocations.append(Invocation((*given, "--json")))
    return invocations


def _filled(command: Command, spot: Spot) -> Iterator[tuple[str, ...]]:
    """Return a command's arguments, also with each of its switches."""
    values = {"number": "1", "folder": str(spot.top / "pile"), "chapter": "1", "path": "double"}
    named = tuple(values.get(place.name, "double") for place in command.arguments)
    needed = command.words in (("restore",), ("grade",))
    yield (*command.words, *named)
    if not needed:
        yield command.words
    for place in command.places:
        if place.is_switch and place.flag not in ("--json", "--plain", None):
            yield (*command.words, *named, place.flag)


@dataclass(frozen=True)
class Seen:
    """The faults of one trap."""

    trap: str
    commands: int
    faults: tuple[str, ...]


def try_trap(name: str, top: Path, thorough: bool = True) -> Seen:
    """Run every command on one spoilt course without consent."""
    spot = lay_out(top, name)
    (spot.top / "pile").mkdir()
    (spot.top / "pile" / "ann_double.py").write_text("def double(x):\n    return x\n")
    before = snapshot(spot.top)
    invocations = invocations_of(spot, thorough)
    answers, problem = drive(invocations, spot)
    faults = [problem] if problem else []
    for answer in answers:
        faults += [
            f"{' '.join(_short(answer.words, spot))}: {it}" for it in faults_of(answer, spot)
        ]
    if spot.ran.exists():
        faults.append(f"it was run without consent, as {spot.ran.read_text()!r}")
    faults += changes(before, snapshot(spot.top))
    return Seen(name, len(answers), tuple(faults))


def _short(words: Iterable[str], spot: Spot) -> Iterator[str]:
    return (word.replace(str(spot.top), "") for word in words)


def drive(
    invocations: list[Invocation],
    spot: Spot,
    environ: Mapping[str, str] = {},
    seconds: float | None = None,
) -> tuple[list[Result], str]:
    """Run command lines in a new process. Return their results and why it failed, if it did."""
    with tempfile.TemporaryDirectory() as folder:
        request, response = Path(folder) / "invocations", Path(folder) / "answered"
        request.write_text(
            json.dumps([{"words": it.words, "looks": it.looks} for it in invocations])
        )
        here = os.pathsep.join(path for path in sys.path if path)
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "trials.courses.driver", str(request), str(response)],
            cwd=spot.top / "cwd",
            env=environment(spot, {"PYTHONPATH": here, **environ}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        problem = ""
        try:
            _, said = process.communicate(timeout=seconds or SECONDS * len(invocations) / 4)
            if process.returncode:
                problem = said.decode(errors="replace").strip().rpartition("\n")[2]
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            problem = "it did not end"
        data = response.read_bytes() if response.exists() else b"[]"
    answers = msgspec.json.decode(data, type=list[Result])
    if problem:
        typed = " ".join(word[:60] for word in _short(invocations[len(answers)].words, spot))
        problem = f"{typed}: {problem}"
    return answers, problem


def environment(spot: Spot, more: Mapping[str, str]) -> dict[str, str]:
    """Return an environment that contains only the trial's own home."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    home = str(spot.top / "home")
    return {**kept, "HOME": home, "JAXTUTOR_HOME": home, "TERM": "xterm-256color", **more}


def faults_of(answer: Result, spot: Spot) -> Iterator[str]:
    """Return the faults of one result."""
    printed = (answer.out + answer.err).decode("utf-8", "surrogateescape")
    if answer.status not in _ALLOWED:
        yield f"exit status {answer.status}"
    for words in _OURS:
        if words in printed:
            yield f"{words!r}: {printed[-300:]!r}"
    if SECRET in printed:
        yield "it tells the neighbour's secret"
    bare = _STYLE.sub(b"", answer.out + answer.err).decode("utf-8", "surrogateescape")
    if found := _OBEYED.search(bare):
        yield f"raw {found[0]!r} in {bare[max(found.start() - 40, 0) : found.end() + 20]!r}"
    if "--json" in answer.words:
        yield from _json_faults(answer)
    if answer.status and not printed.strip():
        yield f"exit status {answer.status} without a word"
    for path in answer.opened:
        real = os.path.realpath(path)
        if path in answer.words:
            continue  # named on the command line, and its kind is only known once it is open
        if real.startswith((str(spot.outside), "/dev/zero", "/etc/passwd")):
            yield f"it opened {path}"
    if answer.seconds > SECONDS:
        yield f"it took {answer.seconds:.0f} s"


def _json_faults(answer: Result) -> Iterator[str]:
    lines = answer.out.decode().splitlines()
    try:
        reports = [msgspec.json.decode(line, type=dict[str, object]) for line in lines]
    except msgspec.MsgspecError:
        yield f"no JSON: {answer.out[:200]!r}"
        return
    if len(reports) != 1:
        yield f"{len(reports)} objects of JSON"


# ---------------------------------------------------------------- files


def snapshot(top: Path) -> dict[str, str]:
    """Return the kind, mode, time and content of everything below a folder, except the home."""
    found: dict[str, str] = {}
    for folder, folders, files in os.walk(top):
        if Path(folder) == top:
            folders.remove("home")
        for name in (*folders, *files):
            path = Path(folder, name)
            status = path.lstat()
            kind = stat.filemode(status.st_mode)
            found[str(path)] = (
                f"{kind} {status.st_mtime_ns} {status.st_size} {_digest(path, status)}"
            )
    return found


def _digest(path: Path, status: os.stat_result) -> str:
    if stat.S_ISLNK(status.st_mode):
        return str(path.readlink())
    if not stat.S_ISREG(status.st_mode) or status.st_size > 1 << 22 or not status.st_mode & 0o400:
        return ""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return what was added, removed or changed."""
    names = sorted(before.keys() | after.keys())
    return [
        f"{name!r} was {before.get(name, 'not there')}, is {after.get(name, 'gone')}"
        for name in names
        if before.get(name) != after.get(name)
    ]


# ---------------------------------------------------------------- the figure


def run(size: float) -> Iterator[Figure]:
    """Try every trap, or a selection."""
    names = list(TRAPS)
    step = max(round(1 / size), 1)
    chosen = names[::step]
    seen = []
    for name in chosen:
        with tempfile.TemporaryDirectory(prefix="courses-") as folder:
            seen.append(try_trap(name, Path(folder)))
    held = [it for it in seen if not it.faults]
    yield Figure(
        promise="the text of an added course is shown and never interpreted",
        tried=len(seen),
        held=len(held),
        detail=f"{sum(it.commands for it in seen):,} commands",
        failures=tuple(f"{it.trap}: {fault}" for it in seen for fault in it.faults),
    )


__all__ = ["OBEYED", "Seen", "run", "try_trap"]
