"""Tries a file system without locks, or without shared memory: commands work or report a remedy."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from trials import Figure, Share
from trials.store import faults, learner
from trials.store.apart import count_held
from trials.store.faults import NO_LOCK_CALL, NO_LOCKS, NO_MEMORY, Fault

PATIENT = 60.0
"""Time limit in seconds for each of these commands."""


def lockless(share: Share, seed: int) -> Iterator[Figure]:
    """Run each command where files cannot be locked, and where memory cannot be shared."""
    del seed
    yield _try_all(NO_LOCKS, "cannot be locked", share)
    yield _try_all(NO_LOCK_CALL, "cannot be locked", share)
    yield _try_all(NO_MEMORY, "", share)


def _try_all(fault: Fault, words: str, share: Share) -> Figure:
    """Try each command. `words` must be in its output, or else it must work as usual."""
    failures, tried = [], 0
    with tempfile.TemporaryDirectory() as folder:
        furnished, home = Path(folder) / "furnished", Path(folder) / "home"
        learner.furnish(furnished)
        before = learner.look(furnished)
        names = learner.commands(home)
        for name in share.of([*names]):
            shutil.copytree(furnished, home)
            usual = learner.carry_out(home, *names[name])
            shutil.rmtree(home)
            shutil.copytree(furnished, home)
            began = time.monotonic()
            ran, _ = faults.carry_out(fault, 1, home, *names[name])
            seconds = time.monotonic() - began
            tried += 1
            problems = ["it ended without an answer"] if ran is None else [ran.problem()]
            problems += faults.check_after(home, names[name], before, ran)
            if seconds > PATIENT:
                problems.append(f"it took {seconds:.0f} s")
            if ran is not None and ran.out != usual.out and (not words or words not in ran.said):
                problems.append(f"it said {ran.said.strip()!r}")
            failures += [f"{name}: {problem}" for problem in problems if problem]
            shutil.rmtree(home)
    return Figure(
        promise=f"{fault.name}: each command works, or says what to do",
        tried=tried,
        held=count_held(tried, failures),
        detail="it says what to do" if words else "it works",
        failures=tuple(failures[:40]),
    )
