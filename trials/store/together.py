"""Tries many sessions at once in one home."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from trials import Figure, Share
from trials.store import driver, learner


def together(share: Share, seed: int) -> Iterator[Figure]:
    """Let two and ten sessions record and write at once, starting with the first run."""
    if events := share.numbers(100):
        for count in (2, 10):
            yield _let_run(count, len(events), seed + 100 * (share.shard - 1))


def _let_run(count: int, events: int, seed: int) -> Figure:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-m", driver.__name__, str(home)]
        tutors = [
            subprocess.Popen(
                [*command, f"tutor-{n}", str(seed + n), str(events)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env=environ,
            )
            for n in range(count)
        ]
        ended = [(tutor.communicate(), tutor.returncode) for tutor in tutors]
        failures = [
            f"tutor {n} ended: {err[-300:]}" for n, ((_, err), code) in enumerate(ended) if code
        ]
        said = [tuple(json.loads(line)) for (out, _), _ in ended for line in out.splitlines()]
        failures += [f"warned: {text}" for kind, text in said if kind == "warned" and text]
        failures += _look(home, [it for it in said if it[0] != "warned"])
    return Figure(
        promise=f"{count} processes at once: nothing is lost, and none waits in vain",
        tried=len(said),
        held=len(said) - len(failures),
        detail=f"{events} events each; seed {seed}",
        failures=tuple(failures[:40]),
    )


def _look(home: Path, said: list[tuple[str, str]]) -> Iterator[str]:
    held = learner.look(home)
    stored = {text.decode() for text in held.texts}
    for kind, text in said:
        if kind in ("attempt", "text") and text not in stored:
            yield f"{kind} {text[:60]!r} is missing"
    for name in ("attempt", "kept"):
        for lesson in {row[0] for row in held.rows[name]}:
            numbers = sorted(row[1] for row in held.rows[name] if row[0] == lesson)  # type: ignore[type-var]
            if numbers != list(range(1, len(numbers) + 1)):
                yield f"{name}s of {lesson} are numbered {numbers}"
    recorded = sum(kind == "attempt" for kind, _ in said)
    if recorded != len(held.rows["attempt"]):
        yield f"{len(held.rows['attempt'])} attempts exist, {recorded} were recorded"
    if unfinished := list(home.rglob("*.tmp")):
        yield f"{unfinished} are left"
