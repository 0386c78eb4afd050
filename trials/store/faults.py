"""Tries a file system that fails at each call: it refuses, is full, or the process is killed.

faults.c is loaded into the trial's process. For each call that a command makes below the home, the
command runs in a child in which that call fails, and the parent checks what is left.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from trials import Figure, Share
from trials.store import learner
from trials.store.apart import count_held, in_child
from trials.store.learner import Ran

SPACE, CHANGE, SYNC, READ, LOCK, MEMORY = 1, 2, 4, 8, 16, 32
"""The kinds of calls, as in faults.c."""
KILLED = -1
MOST = 1000
"""A number of calls that no command exceeds."""


@dataclass(frozen=True)
class Fault:
    """A fault: the calls that fail, how, and whether all later calls fail too."""

    name: str
    kinds: int
    error: int
    stays: bool = False


FULL = Fault("the disk is full", SPACE, errno.ENOSPC, stays=True)
FULL_ONCE = Fault("the disk is full at one write", SPACE, errno.ENOSPC)
QUOTA = Fault("the quota is used up", SPACE, errno.EDQUOT, stays=True)
ILL = Fault("the disk reports an error", SPACE | CHANGE | SYNC | READ, errno.EIO)
KILL = Fault("kill -9", SPACE | CHANGE | SYNC, KILLED)
NO_LOCKS = Fault("files cannot be locked", LOCK, errno.ENOLCK, stays=True)
NO_LOCK_CALL = Fault("there is no call for locks", LOCK, errno.ENOSYS, stays=True)
NO_MEMORY = Fault("no memory can be shared", MEMORY, errno.ENODEV, stays=True)


def carry_out(fault: Fault, nth: int, home: Path, *arguments: str) -> tuple[Ran | None, bool]:
    """Run a command in a child in which the n-th call fails. Return whether it made that many."""
    made = home.with_name("calls")

    def work() -> Ran:
        library = ctypes.CDLL(None)
        where, stays = os.fsencode(home), int(fault.stays)
        library.faults_arm(where, fault.kinds, nth, fault.error, stays)
        ran = learner.carry_out(home, *arguments)
        made.write_text(str(library.faults_disarm()))
        return ran

    ran = in_child(work)
    return ran, ran is None or int(made.read_text()) >= nth


# ---------------------------------------------------------------- every command


def try_each(fault: Fault, share: Share) -> Figure:
    """Let each command meet the fault at each of its calls, or at some of them."""
    tried, failures, refused = 0, [], 0
    exhausted = set()
    with tempfile.TemporaryDirectory() as folder:
        furnished, home = Path(folder) / "furnished", Path(folder) / "home"
        learner.furnish(furnished)
        before = learner.look(furnished)
        names = learner.commands(home)
        for nth, name in share.of([(nth, name) for nth in range(1, MOST) for name in names]):
            if name in exhausted:
                continue
            shutil.copytree(furnished, home)
            ran, met = carry_out(fault, nth, home, *names[name])
            if met:
                tried += 1
                refused += ran is not None and ran.status == 3
                problems = check_after(home, names[name], before, ran)
                failures += [f"{name}, call {nth}: {problem}" for problem in problems]
            else:
                exhausted.add(name)
            shutil.rmtree(home)
    return Figure(
        promise=f"{fault.name}: at each call of each command",
        tried=tried,
        held=count_held(tried, failures),
        detail=f"{len(names)} commands; {refused} ended with status 3",
        failures=tuple(failures[:40]),
    )


def check_after(
    home: Path, arguments: tuple[str, ...], before: learner.Held, ran: Ran | None
) -> list[str]:
    """Return the faults after a command: in its output, in the data, and in the next command."""
    problems = []
    if ran is not None:
        problems.append(ran.problem())
        if unfinished := sorted(path.name for path in home.rglob("*.tmp")):
            problems.append(f"{unfinished} is left")
    problems += learner.losses(before, home)
    again = learner.carry_out(home, *arguments)
    problems.append(again.problem())
    if again.status == 3 or "damaged" in again.err:
        problems.append(f"the next command: {again.said.strip()}")
    return [problem for problem in problems if problem]


# ---------------------------------------------------------------- the trials


def full(share: Share, seed: int) -> Iterator[Figure]:
    """Fill the disk at each write of each command."""
    del seed
    for fault in (FULL, FULL_ONCE, QUOTA):
        yield try_each(fault, share)


def ill(share: Share, seed: int) -> Iterator[Figure]:
    """Report an input/output error at each call of each command."""
    del seed
    yield try_each(ILL, share)


def killed(share: Share, seed: int) -> Iterator[Figure]:
    """Kill each command before each call that changes something."""
    del seed
    yield try_each(KILL, share)
