"""Tries bad input: every command and option with values that it cannot accept.

Each must give one error with the right exit status and no traceback.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from trials import Figure, sample_lessons
from trials.courses.driver import Invocation, Result
from trials.courses.foreign import changes, drive, faults_of, snapshot
from trials.courses.traps import OBEYED, SECRET, Spot
from trials.courses.tree import Command, Place, commands

WORDS = (
    "",
    "  ",
    "xyzzy-nothing",
    "doubel",
    "o",
    "0",
    "-1",
    "\u00b2",
    "\u0663",
    "1e400",
    "nan",
    "9" * 30,
    "9" * 5000,
    "x" * 100_000,
    OBEYED,
    "a\nb\rc",
    "\udcff\udcfe",
    "\u202eevil",
    "[bold red]x[/] [link=file:///etc/passwd]y",
    "%s%n{0}{x}",
    "$(touch pwned)`touch pwned`;touch pwned",
    "..",
    "--",
    "k",
    "k" + "9" * 5000,
)
FILES = (
    "{top}/files",
    "{top}/files/missing.py",
    "{top}/files/binary.py",
    "{top}/files/latin.py",
    "{top}/files/wide.py",
    "{top}/files/pipe.py",
    "{top}/files/large.py",
    "{top}/files/loop.py",
    "{top}/files/double.txt",
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/proc/self/mem",
)
FEW = ("", OBEYED, "9" * 30, "{top}/files/missing.py")
"""Bad values for a command that starts a process for each of them."""
SLOW = frozenset(
    {"check", "hint", "devices", "doctor", "repl", "grade", "lesson", "predict", "diagnose"}
)
GOOD = {"number": "1", "folder": "{top}/pile", "script": "{top}/files/missing.py"}
ENDLESS = frozenset({"--watch"})
EARLY = frozenset({"--course", "--workspace"})
"""Options whose value is checked before any process is started."""


def furnish(top: Path) -> Spot:
    """Create a course, a folder to grade, and files of every kind that is not a program."""
    spot = Spot(top)
    sample_lessons.make_lesson(spot.lesson)
    sample_lessons.make_lesson(spot.course / "01_basics" / "02_other")
    for name in ("outside", "home", "cwd", "pile", "files"):
        (top / name).mkdir()
    (spot.outside / "secret.txt").write_text(SECRET)
    (top / "pile" / "ann_double.py").write_text(sample_lessons.SOLUTION)
    files = top / "files"
    (files / "binary.py").write_bytes(bytes(range(256)) * 10)
    (files / "latin.py").write_bytes("x = 'd\u00e9j\u00e0'".encode("latin-1"))
    (files / "wide.py").write_bytes("x = 1".encode("utf-16"))
    (files / "double.txt").write_text("no program")
    os.mkfifo(files / "pipe.py")
    (files / "loop.py").symlink_to("loop.py")
    with (files / "large.py").open("wb") as file:
        file.truncate(1 << 30)
    return spot


def invocations_of(command: Command, spot: Spot) -> Iterator[Invocation]:
    """Yield a command line for each bad value of each argument and option."""
    course = ("--course", str(spot.course)) if command.takes("--course") else ()
    for place in command.places:
        if place.is_switch:
            if place.flag not in ENDLESS and command.words[0] not in SLOW:
                yield Invocation((*command.words, *_good(command, spot), str(place.flag), *course))
            continue
        for value in values_for(command, place):
            filled = value.replace("{top}", str(spot.top))
            if place.flag is None:
                words = (*command.words, *course, "--", *_good(command, spot, place, filled))
            elif place.flag == "--course":
                words = (*command.words, *_good(command, spot), f"{place.flag}={filled}")
            else:
                given = f"{place.flag}={filled}"
                words = (*command.words, *_good(command, spot), *course, given)
            yield Invocation(words, looks=True)
    yield Invocation((*command.words, OBEYED, OBEYED, OBEYED))
    yield Invocation((*command.words, f"--{OBEYED}"))
    yield Invocation((*command.words, "--help"))


def values_for(command: Command, place: Place) -> tuple[str, ...]:
    """Return bad values: all of them if nothing is started, or a few if each starts a process."""
    if command.words[0] in SLOW and place.flag is not None and place.flag not in EARLY:
        return FEW
    return (*WORDS, *FILES)


def _good(
    command: Command, spot: Spot, but: Place | None = None, value: str = ""
) -> tuple[str, ...]:
    """Return a command's required arguments, with one of them replaced by the value."""
    words = []
    for place in command.arguments:
        if place == but:
            words.append(value)
            break
        if place.name in GOOD:
            words.append(GOOD[place.name].replace("{top}", str(spot.top)))
    return tuple(words)


def try_command(command: Command, top: Path, step: int = 1) -> tuple[int, list[str]]:
    """Run a command with every bad value, or every n-th. Return their number and the faults."""
    spot = furnish(top)
    before = snapshot(top)
    invocations = list(invocations_of(command, spot))[::step]
    trusting = {"JAXTUTOR_TRUST_COURSE": "yes"}
    answers, problem = drive(invocations, spot, trusting, 30.0 * len(invocations))
    faults = [problem] if problem else []
    for answer in answers:
        said = " ".join(word[:60] for word in answer.words).replace(str(top), "")
        faults += [
            f"{said!r}: {fault}" for fault in (*faults_of(answer, spot), *_unhelpful(answer))
        ]
    chosen = tuple(f"{top}/{place}" for place in ("cwd", "01_basics", "files/01_basics", "files' "))
    made = changes(before, snapshot(top))  # a workspace is created where it was requested
    return len(answers), faults + [it for it in made if not any(place in it for place in chosen)]


def _unhelpful(answer: Result) -> Iterator[str]:
    """Yield faults unless there is one error message that fits a screen."""
    is_drawn = b"Grading" in answer.err  # a progress bar, drawn repeatedly
    if answer.status in (2, 3) and len(answer.err) > 4000 and not is_drawn:
        yield f"an error of {len(answer.err)} bytes: {answer.err[:80]!r}"


def run(size: float) -> Iterator[Figure]:
    """Try every command."""
    tried, faults = 0, []
    for command in commands():
        with tempfile.TemporaryDirectory(prefix="inputs-") as folder:
            count, found = try_command(command, Path(folder) / "trial", max(round(1 / size), 1))
        tried += count
        faults += found
    yield Figure(
        promise="bad input gets one clear error",
        tried=tried,
        held=tried - len(faults),
        detail=f"{len(commands())} commands",
        failures=tuple(faults),
    )
