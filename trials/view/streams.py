"""Runs every command with unusual streams and environments."""

from __future__ import annotations

import random
import shlex
import subprocess
import sys
from collections.abc import Iterator

from trials import Figure
from trials.view.home import LESSON, SEED, Home, Tally

COMMANDS = (
    "list", "list --all --json", "stats", f"history {LESSON}", f"show {LESSON}",
    f"show {LESSON} --json",
    f"hint {LESSON} --all", f"solution {LESSON}", f"diff {LESSON} --against solution", "review",
    f"reset {LESSON}", "next", f"start {LESSON}", "explain", "explain traced-bool-in-if",
    "predict padded-nonzero", "--version", "--help", "check --help",
)  # fmt: skip
WITH_JAX = (
    f"check {LESSON}",
    "devices",
    "doctor",
    "diagnose script.py",
    "predict padded-nonzero --answer yes",
)
WAYS: dict[str, tuple[str, dict[str, str], tuple[int, ...]]] = {
    "closed": ("$j >&-", {}, (3,)),
    "full": ("$j >/dev/full", {}, (3,)),
    "all full": ("$j >/dev/full 2>/dev/full", {}, (3,)),
    "all closed": ("$j >&- 2>&- <&-", {}, (3,)),
    "a reader that goes": ("$j | head -c 0; exit ${PIPESTATUS[0]}", {}, (141, 0, 1)),
    "no input": ("$j <&-", {}, (0, 1)),
    "empty input": ("$j </dev/null", {}, (0, 1)),
    "ASCII": ("$j", {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}, (0, 1)),
    "latin": ("$j", {"PYTHONIOENCODING": "latin-1"}, (0, 1)),
    "no terminal": ("$j", {"TERM": "", "LANG": "C", "LC_ALL": "C"}, (0, 1)),
    "unknown terminal": ("$j", {"TERM": "nonesuch", "FORCE_COLOR": "1"}, (0, 1)),
    "no columns": ("$j", {"COLUMNS": "0"}, (0, 1)),
    "one column": ("$j", {"COLUMNS": "1"}, (0, 1)),
    "many columns": ("$j", {"COLUMNS": "9" * 9}, (0, 1)),
    "columns that are none": ("$j", {"COLUMNS": "wide"}, (0, 1)),
}  # fmt: skip


def try_streams(size: float) -> Iterator[Figure]:
    """Run every command with unusual streams and environments."""
    tally = Tally("odd streams: no traceback, an honest status", f"{len(WAYS)} ways")
    dice = random.Random(SEED)
    every = [(command, way) for command in (*COMMANDS, *WITH_JAX) for way in WAYS]
    with Home("true") as home:
        (home.path / "script.py").write_text("import jax\nprint(1)\n")
        subprocess.run(
            [sys.executable, "-m", "jaxtutor", "hint", LESSON],
            env=home.environ,
            check=True,
            capture_output=True,
        )
        for command, way in (
            every if size >= 1 else dice.sample(every, max(round(len(every) * size), 10))
        ):
            tally.note(f"{command}, {way}", *run_oddly(home, command, way))
    yield tally.figure()


def run_oddly(home: Home, command: str, way: str) -> list[str]:
    """Run one command in one way, and return what is wrong with its end."""
    line, environ, statuses = WAYS[way]
    called = f"{shlex.quote(sys.executable)} -m jaxtutor {command}"
    ran = subprocess.run(
        ["bash", "-c", line.replace("$j", called)],
        env={**home.environ, **environ},
        cwd=home.path,
        capture_output=True,
        check=False,
        timeout=120,
    )
    found = [] if ran.returncode in statuses else [f"its status is {ran.returncode}"]
    said = ran.stderr + ran.stdout
    words = (b"Traceback (most", b"fault of jaxtutor", b"Exception ignored")
    return found + [f"{word!r} in {said[-300:]!r}" for word in words if word in said]
