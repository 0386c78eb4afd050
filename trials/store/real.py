"""Tries kill -9 on `check`, and on `start` at a terminal with an editor that saves repeatedly."""

from __future__ import annotations

import os
import pty
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from trials import Figure, Share
from trials.built_in import learner_file
from trials.store import learner
from trials.store.apart import count_held

SOURCE = "import jax.numpy as jnp\n\n\ndef safe_clip_positive(x):\n    return x * {}\n"
EDITOR = """
import sys, time
from pathlib import Path
path, n = Path(sys.argv[-1]), 0
while True:
    n += 1
    part = path.with_name(".saving")
    lines = ["import jax.numpy as jnp", "", "", "def safe_clip_positive(x):", f"    return x * {n}"]
    part.write_text("\\n".join(lines) + "\\n")
    part.replace(path)
    time.sleep(0.4)
"""


def real(share: Share, seed: int) -> Iterator[Figure]:
    """Kill whole sessions at random moments."""
    yield _try("check", share.numbers(40), seed)
    yield _try("start", share.numbers(20), seed)


def _try(name: str, rounds: Sequence[int], seed: int) -> Figure:
    failures, attempts = [], 0
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        learner.furnish(home)
        for n in rounds:
            dice = random.Random(f"{name}-{seed}-{n}")
            before = learner.look(home)
            mine = home / "workspace" / learner_file("safe-clip-positive")
            if name == "check":
                mine.write_text(SOURCE.format(n))
                _run_check(home, dice.random() * 10.0)
            else:
                _run_start(home, Path(folder), 0.5 + dice.random() * 8.0)
            failures += [f"round {n}: {it}" for it in _look(home, before, mine)]
        attempts = len(learner.look(home).rows["attempt"])
    return Figure(
        promise=f"`{name}` with jax is killed with kill -9 at a random moment",
        tried=len(rounds),
        held=count_held(len(rounds), failures),
        detail=f"{attempts} attempts were recorded by then; seed {seed}",
        failures=tuple(failures[:40]),
    )


def _look(home: Path, before: learner.Held, mine: Path) -> Iterator[str]:
    after = learner.look(home)
    for name, rows in before.rows.items():
        for row in rows - after.rows[name]:
            yield f"{name} {row[:2]} is gone"
    text = mine.read_bytes()
    if not (text.startswith((b"import jax.numpy", b"def safe")) and text.endswith(b"\n")):
        yield f"the learner's file is half written: {text!r}"
    again = learner.carry_out(home, "history", learner.LESSON)
    if again.status or again.err:
        yield f"the next command: {again.said}"


def _environ(home: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "JAXTUTOR_HOME": str(home),
        "JAXTUTOR_NO_KEEP": "yes",
        "JAX_PLATFORMS": "cpu",
        "TERM": "xterm-256color",
    }


def _run_check(home: Path, seconds: float) -> None:
    tutor = subprocess.Popen(
        [sys.executable, "-m", "jaxtutor", "check", learner.LESSON],
        env=_environ(home),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with suppress(subprocess.TimeoutExpired):
        tutor.wait(seconds)
    tutor.kill()
    tutor.wait()


def _run_start(home: Path, folder: Path, seconds: float) -> None:
    """Run a session at a terminal, and kill both of its processes and the editor."""
    editor = folder / "editor.py"
    editor.write_text(EDITOR)
    ours, theirs = pty.openpty()
    tutor = subprocess.Popen(
        [sys.executable, "-m", "jaxtutor", "start", learner.LESSON],
        env={**_environ(home), "VISUAL": f"{sys.executable} {editor}"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    reader = threading.Thread(target=_drain, args=(ours,))
    reader.start()
    time.sleep(min(2.0, seconds))
    with suppress(OSError):
        os.write(ours, b"\r")  # open the editor
    time.sleep(max(0.0, seconds - 2.0))
    family = [psutil.Process(tutor.pid), *psutil.Process(tutor.pid).children(recursive=True)]
    for process in family:
        with suppress(psutil.Error):
            process.send_signal(signal.SIGKILL)
    tutor.wait()
    psutil.wait_procs(family[1:], timeout=30)
    reader.join()
    os.close(ours)


def _drain(handle: int) -> None:
    with suppress(OSError):
        while os.read(handle, 1 << 16):
            pass
