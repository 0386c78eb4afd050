"""Tries every command with each folder and file of a home unwritable or unreadable."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from trials import Figure, Share
from trials.built_in import learner_file
from trials.store import learner
from trials.store.apart import count_held, in_child
from trials.store.learner import Ran

NOBODY = 65534
MINE = learner_file("safe-clip-positive")
MODES = {"read-only": (0o444, 0o555), "closed": (0o000, 0o000)}
"""Modes for a file and for a folder."""

PLACES = (
    ".",
    "workspace",
    f"workspace/{MINE.parent}",
    f"workspace/{MINE}",
    "data",
    "data/progress.sqlite3",
    "data/progress.sqlite3-wal",
    "data/progress.sqlite3-shm",
    "data/references",
    "data/trusted.json",
    "outside",
)


def denied(share: Share, seed: int) -> Iterator[Figure]:
    """Deny each path to each command, as a user to whom permissions apply."""
    del seed
    for mode in MODES:
        yield _deny_each(mode, share)


def _deny_each(mode: str, share: Share) -> Figure:
    tried, failures, refused = 0, [], 0
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        furnished, home = Path(folder) / "furnished", Path(folder) / "home"
        learner.furnish(furnished)
        for name in ("references", "history"):
            (furnished / "data" / name).mkdir(exist_ok=True)
        (furnished / "data" / "trusted.json").write_text("[]")
        before = learner.look(furnished)
        shutil.copytree(furnished, home)
        for arguments in learner.commands(home).values():
            learner.carry_out(home, *arguments)  # later imports may be denied
        shutil.rmtree(home)
        pairs = [(place, name) for place in PLACES for name in learner.commands(home)]
        for place, name in share.of(pairs):
            shutil.copytree(furnished, home)
            # Another session has the store open, so that its journals exist.
            with closing(sqlite3.connect(home / "data" / "progress.sqlite3")) as other:
                other.execute("SELECT * FROM courses").fetchall()
                ran = _carry_out_denied(home, place, mode, learner.commands(home)[name])
            tried += 1
            refused += ran is not None and ran.status == 3
            problems = _look_after(home, learner.commands(home)[name], before, ran)
            failures += [f"{place}, {name}: {problem}" for problem in problems]
            shutil.rmtree(home)
    return Figure(
        promise=f"each folder and file of the home is {mode}, for each command",
        tried=tried,
        held=count_held(tried, failures),
        detail=f"{len(PLACES)} places; {refused} ended with status 3",
        failures=tuple(failures[:40]),
    )


def _carry_out_denied(home: Path, place: str, mode: str, arguments: tuple[str, ...]) -> Ran | None:
    """Run a command in a child, as an unprivileged user if this process is root."""
    path = home / place
    was = path.stat().st_mode
    if os.getuid() == 0:
        for entry in (home, *home.rglob("*")):
            os.chown(entry, NOBODY, NOBODY)

    def work() -> Ran:
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        return learner.carry_out(home, *arguments)

    path.chmod(MODES[mode][path.is_dir()])
    try:
        return in_child(work)
    finally:
        path.chmod(was)


def _look_after(
    home: Path, arguments: tuple[str, ...], before: learner.Held, ran: Ran | None
) -> list[str]:
    problems = ["it ended without an answer"] if ran is None else [ran.problem()]
    if ran is not None and ("was damaged" in ran.err or "moved or replaced" in ran.err):
        problems.append(f"it set a sound file aside: {ran.err}")
    problems += learner.losses(before, home)
    again = learner.carry_out(home, *arguments)
    problems.append(again.problem())
    if again.status == 3 or "damaged" in again.err:
        problems.append(f"the next command: {again.said.strip()}")
    return [problem for problem in problems if problem]
