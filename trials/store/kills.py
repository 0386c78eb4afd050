"""Tries kill -9: what a killed session acknowledged is stored, and nothing is stored in part."""

from __future__ import annotations

import json
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from trials import Figure, Share
from trials.built_in import learner_file
from trials.store import driver, learner
from trials.store.apart import count_held

ROUNDS_PER_HOME = 25
LONGEST = 0.25
"""The longest life of a session in seconds, which includes its start."""

Said = list[tuple[str, str]]


def kills(share: Share, seed: int) -> Iterator[Figure]:
    """Kill sessions at random moments, many in each home."""
    rounds = share.numbers(1000)
    failures: list[str] = []
    acknowledged = 0
    for first in range(0, len(rounds), ROUNDS_PER_HOME):
        events, problems = _kill_in_a_home(rounds[first : first + ROUNDS_PER_HOME], seed)
        acknowledged += events
        failures += problems
    yield Figure(
        promise="a session is killed with kill -9 at a random moment",
        tried=len(rounds),
        held=count_held(len(rounds), failures),
        detail=f"{acknowledged:,} acknowledged events, all there; seed {seed}",
        failures=tuple(failures[:40]),
    )


def _kill_in_a_home(rounds: Sequence[int], seed: int) -> tuple[int, list[str]]:
    """Return how many events were acknowledged in one home, and what was lost."""
    acknowledged, failures = 0, []
    texts: set[str] = set()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        learner.furnish(home)
        for n in rounds:
            before = learner.look(home)
            said = run_and_kill(home, f"{seed}-{n}", random.Random(f"{seed}-{n}"))
            acknowledged += sum(kind != "saving" for kind, _ in said)
            texts.update(text for _, text in said)
            failures += [f"round {n}: {it}" for it in missing(home, before, said, texts)]
    return acknowledged, failures


def run_and_kill(home: Path, name: str, dice: random.Random) -> Said:
    """Run a session in a child, kill it at a random moment, and return its output."""
    read, write = os.pipe()
    seed, wait = dice.randrange(1 << 30), dice.random() * LONGEST
    child = os.fork()
    if child == 0:
        os.close(read)

        def say(kind: str, text: str) -> None:
            os.write(write, json.dumps([kind, text]).encode() + b"\n")

        try:
            driver.drive(home, name, seed, driver.FOREVER, say)
        finally:
            os._exit(1)  # it ended before it was killed, which is a fault
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = [pipe.readline()]  # it has started
        killer = _kill_after(child, wait)
        said += pipe.readlines()
    status = _await(child, killer)
    assert os.WIFSIGNALED(status), f"the session ended by itself with {status}"
    whole = [json.loads(line) for line in said if line.endswith(b"\n")]
    return [(kind, text) for kind, text in whole]


def _kill_after(child: int, seconds: float) -> int:
    """Kill a process from another one, so that its output can be read meanwhile."""
    killer = os.fork()
    if killer == 0:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        os._exit(0)
    return killer


def _await(child: int, killer: int) -> int:
    """Return a child's status. Its process id stays reserved until its killer has ended."""
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    os.kill(killer, signal.SIGKILL)
    os.waitpid(killer, 0)
    return os.waitpid(child, 0)[1]


def kill_within(work: Callable[[], object], dice: random.Random) -> bool | None:
    """Call a function in a child that is killed at a random moment; None if too early."""
    wait = dice.random() * LONGEST
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    killer = _kill_after(child, wait)
    status = _await(child, killer)
    return None if os.WIFSIGNALED(status) else True


def missing(home: Path, before: learner.Held, said: Said, texts: set[str]) -> list[str]:
    """Return what was acknowledged and is missing, and what is stored in part."""
    try:
        held = learner.look(home)
    except Exception as error:
        return [f"the store is not whole: {error!r}"]
    lost = [
        f"{name} {row[:2]} of an earlier round is gone"
        for name, rows in before.rows.items()
        for row in rows - held.rows[name]
    ]
    stored = {text.decode() for text in held.texts}
    for kind, text in said:
        if kind in ("attempt", "text") and text not in stored:
            lost.append(f"{kind} {text[:60]!r} was acknowledged and is missing")
    mine = (home / "workspace" / learner_file("safe-clip-positive")).read_bytes()
    whole = {text.encode() for text in texts} | held.texts | learner.starters()
    whole |= set(before.files.values())
    if mine not in whole:
        lost.append(f"the learner's file is half written: {mine[:60]!r}")
    saved = [text for kind, text in said if kind in ("saved", "saving")]
    if saved and mine.decode() != saved[-1] and not stored.issuperset(saved[:-1]):
        lost.append("a text that was saved is nowhere")
    again = learner.carry_out(home, "check", learner.LESSON)
    if again.status != 1 or again.err or again.problem():
        lost.append(f"the next check: {again.status} {again.said[-200:]}")
    return lost
