"""Uses one session for hours as learners do, and measures whether it grows.

The session is a real `start` at a terminal, with an editor that saves on command. Meanwhile,
prompts are opened and commands run on the same store. Everything that could grow is measured from
time to time, and the last quarter is compared with the second, because the first one warms up.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, fields
from pathlib import Path

import psutil

from trials import SOAK_HOURS, Figure, Share
from trials.saving import WAYS
from trials.terminals import Terminal

SEED = 7
SAMPLES = 400
"""The largest number of measurements, which are at least 10 seconds apart."""
HASTY = 10_000
"""The number of saves that follow each other as fast as they are reported, without a worker."""
HASTE = 0.06
"""Seconds between two of these saves."""
PATIENCE = 180.0
"""Seconds that a verdict may take on a busy machine."""
GROWTH, SLACK = 1.05, 2.0
"""Allowed growth of the last quarter's median over the second's: a factor, and MB in addition."""
BOUNDS = {"store": float("inf"), "wal": 5.0}
"""MB up to which growth is intended: the store grows, and SQLite truncates its log at four."""
SHORT = 0.05
"""Hours below which there is no time to do every action once before measuring."""
WANDER = 8
"""The number of lessons that the learner switches between."""
ROOT = Path(__file__).resolve().parents[1]
PREFIX = "\x1b[24~"
FIRST = "safe-clip-positive"

BROKEN = {
    "has invalid syntax": "def f(:\n",
    "raises": "import jax.numpy as jnp\n\nraise RuntimeError('on purpose')\n",
    "takes for ever": "while True:\n    pass\n",
    "aborts": "import os\n\nos.abort()\n",
    "leaves": "import os\n\nos._exit(0)\n",
    "prints a flood": "for n in range(300_000):\n    print('flood', n)\n",
    "leaves a child": "import subprocess\n\nsubprocess.Popen(['sleep', '600'])\n",
    "takes all memory": "kept = [bytearray(b'x' * 2**26) for _ in range(1000)]\n",
    "leaves threads": (
        "import threading, time\n\n"
        "for _ in range(20):\n    threading.Thread(target=time.sleep, args=(600,)).start()\n"
    ),
}


@dataclass(frozen=True)
class Sample:
    """One measurement: megabytes of memory, and counts."""

    hours: float
    terminal: float  # resident memory of the process at the terminal
    session: float  # resident memory of the session's process
    peak: float  # peak memory of the session's process
    descriptors: int  # of both processes
    threads: int  # of both processes
    children: int
    temporary: int  # number of files
    store: float
    wal: float


class Learner:
    """Presses keys, saves files and runs commands in one session."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.chance = random.Random(seed)
        self.editor_folder = folder / "editor"
        self.temporary = folder / "tmp"
        self.home = folder / "home"
        for made in (self.editor_folder, self.temporary, self.home):
            made.mkdir()
        self.environ = os.environ | {
            "HOME": str(self.home),
            "JAXTUTOR_HOME": str(folder / "jaxtutor"),
            "TMPDIR": str(self.temporary),
            "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}",
            "FAKE_EDITOR_FOLDER": str(self.editor_folder),
            "VISUAL": f"{sys.executable} -m trials.fake_editor",
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
        }
        self.done: Counter[str] = Counter()
        self.saved = 0
        self.lost: list[str] = []
        self.refused: list[str] = []
        self._place = 0
        self._numbers = 0

    # ------------------------------------------------------------ the session

    def start_session(self) -> None:
        """Start the session and open the editor."""
        command = [sys.executable, "-P", "-m", "jaxtutor", "start", FIRST]
        self.terminal = Terminal(command, self.environ, self.home)
        assert self.terminal.find("enter", PATIENCE), self.terminal.text
        self._open()

    def _open(self) -> None:
        (self.editor_folder / "open").unlink(missing_ok=True)
        self.terminal.write("\r")
        self._await_editor()

    def _await_editor(self) -> None:
        assert _wait((self.editor_folder / "open").exists, PATIENCE), self.terminal.text

    @property
    def file(self) -> Path:
        """The learner's file that is open in the editor."""
        return Path((self.editor_folder / "open").read_text())

    @property
    def tutor(self) -> psutil.Process:
        """The process at the terminal."""
        return psutil.Process(self.terminal.popen.pid)

    @property
    def session(self) -> psutil.Process:
        """The session's process."""
        return next(
            it for it in self.tutor.children() if "session.session" in " ".join(it.cmdline())
        )

    def leave(self) -> list[psutil.Process]:
        """Quit, and return the processes that still exist afterwards."""
        family = self.tutor.children(recursive=True)
        self.terminal.write(PREFIX + "q")
        time.sleep(1.0)
        self.terminal.write("y")
        self.terminal.wait(60)
        _, left = psutil.wait_procs(family, timeout=30)
        self.terminal.close()
        return left

    # ------------------------------------------------------------ actions

    def do_something(self) -> None:
        """Do a random action, chosen by weight."""
        names, weights = zip(*ACTIONS.items(), strict=True)
        self.do(*self.chance.choices(names, weights))

    def do_everything(self) -> None:
        """Do every action once, so that modules loaded on demand are loaded."""
        for kind in BROKEN:
            self._one_that(kind)
        for action in ACTIONS:
            self.do(action)

    def do(self, chosen: Callable[[Learner], None]) -> None:
        """Do one action and record it."""
        self.done[chosen.__name__.replace("_", " ").strip()] += 1
        chosen(self)
        if self.terminal.popen.poll() is not None:
            raise AssertionError(f"the tutor ended during {chosen.__name__}: {self.terminal.text}")

    def press(self, *keys: str) -> None:
        """Press keys for the panel."""
        for key in keys:
            self.terminal.write(PREFIX + key)
            time.sleep(self.chance.uniform(0.05, 0.4))

    def save(self, text: str | bytes, wait: bool = True) -> None:
        """Let the editor save a unique text, and check that it reaches the store."""
        self._numbers += 1
        data = text if isinstance(text, bytes) else f"{text}# {self._numbers}\n".encode()
        way = self.chance.choice([name for name in WAYS if name not in ("appended", "by_sed")])
        self._have_saved(way, data)
        if isinstance(text, bytes):
            time.sleep(1.0)
            return
        if not wait:
            return
        self.saved += 1
        if not _wait(lambda: self.is_kept(data), PATIENCE):
            self.lost.append(f"save {self._numbers} ({way}) of {self.file.name}")

    def _have_saved(self, way: str, data: bytes) -> None:
        """Let the editor save. Repeat the command if earlier keys were read as a part of it."""
        name = f"text.{self._numbers}"
        (self.editor_folder / name).write_bytes(data)
        for _ in range(5):
            self.terminal.write(f"\nsave {way} {name}\n")
            if _wait(lambda: not (self.editor_folder / name).exists(), 30):
                return
            self.done["a line typed again"] += 1
        raise AssertionError(f"the editor does not save: {self.terminal.text[-2000:]}")

    def _have_left(self) -> None:
        """Let the editor end, and await the next. Repeat the command if a list read it as keys."""
        for _ in range(5):
            self.terminal.write("\nquit\n")  # on its own line, whatever was typed before
            if _wait((self.editor_folder / "open").exists, 30):
                return
            self.done["a line typed again"] += 1
        raise AssertionError(f"the editor does not end: {self.terminal.text[-2000:]}")

    def is_kept(self, data: bytes) -> bool:
        """Return True if the store has a text, with or without a verdict."""
        store = self.folder / "jaxtutor" / "data" / "progress.sqlite3"
        with (
            suppress(sqlite3.Error),
            closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as db,
        ):
            query = (
                "SELECT COUNT(*) FROM sources WHERE sha256 = ? AND (id IN (SELECT source FROM"
                " attempts) OR id IN (SELECT source FROM kept))"
            )
            return bool(db.execute(query, (hashlib.sha256(data).digest(),)).fetchone()[0])
        return False

    def lesson(self) -> Path:
        """Return the folder of the file's lesson."""
        return ROOT / "lessons" / self.file.parent.name / self.file.stem

    def _workers(self) -> list[psutil.Process]:
        return [it for it in self.session.children() if "jaxtutor.worker" in " ".join(it.cmdline())]

    # ------------------------------------------------------------ saves

    def _right(self) -> None:
        self.save((self.lesson() / "solution.py").read_text())

    def _wrong(self) -> None:
        mistakes = sorted((self.lesson() / "mistakes").glob("*.py"))
        self.save(self.chance.choice(mistakes).read_text())

    def _starter(self) -> None:
        self.save((self.lesson() / "starter.py").read_text())

    def _one_that(self, kind: str) -> None:
        self.done[f"a save that {kind}"] += 1
        self.save(BROKEN[kind])

    def _syntax_error(self) -> None:
        self._one_that("has invalid syntax")

    def _hostile(self) -> None:
        kinds = [kind for kind in BROKEN if kind != "takes all memory"]
        self._one_that(self.chance.choice(kinds))

    def _memory_hog(self) -> None:
        self._one_that("takes all memory")

    def _no_text(self) -> None:
        self.save(self.chance.choice([b"\0" * 10, b"\xff\xfe", b"# \xe9\n", b"x = 1\n" * 300_000]))

    def _burst(self) -> None:
        for _ in range(5):
            self.save((self.lesson() / "starter.py").read_text(), wait=False)
            time.sleep(self.chance.uniform(0.02, 0.4))
        self._right()

    def _deleted(self) -> None:
        self.file.unlink(missing_ok=True)
        time.sleep(1.0)
        self.file.write_bytes(b"pass\n")
        self._right()

    def _killed(self) -> None:
        self.save(BROKEN["takes for ever"], wait=False)
        time.sleep(self.chance.uniform(0.2, 3.0))
        for worker in self._workers():
            with suppress(psutil.Error):
                worker.kill()
        self._right()

    # ------------------------------------------------------------ keys

    def _hint(self) -> None:
        self.press("h")

    def _view(self) -> None:
        self.press(*self.chance.choices("vtjdalf?", k=4))

    def _scroll(self) -> None:
        self.press("t")
        self.terminal.write(PREFIX + "    bb\x1b")
        time.sleep(0.5)

    def _size(self) -> None:
        self.terminal.resize(self.chance.randrange(18, 60), self.chance.randrange(40, 160))
        time.sleep(0.3)

    def _check_again(self) -> None:
        self.press("c")

    def _reset(self) -> None:
        self.press("r")
        self.terminal.write("y")
        time.sleep(0.5)
        self.terminal.write("\x1b")
        time.sleep(0.5)

    def _type(self) -> None:
        self.terminal.write("x = jnp.where(x < 0, 0, x) é ✓\n" * 20)

    def _next(self) -> None:
        step = self.chance.choice([1, -1])
        if not 0 <= self._place + step < WANDER:
            step = -step
        self._place += step
        self.press("n" if step > 0 else "p")
        time.sleep(0.5)
        (self.editor_folder / "open").unlink(missing_ok=True)
        self._have_left()

    def _stop_for_a_while(self) -> None:
        for process in (self.session, self.tutor):
            process.send_signal(signal.SIGSTOP)
        time.sleep(2.0)
        for process in (self.session, self.tutor):
            process.send_signal(signal.SIGCONT)
        self._right()

    # ------------------------------------------------------------ other commands

    def _command(self) -> None:
        commands = (["list"], ["hint", FIRST, "--again"], ["stats"], ["history"], ["show"])
        given = self.chance.choice(commands)
        line = [sys.executable, "-P", "-m", "jaxtutor", *given, "--plain"]
        ran = subprocess.run(
            line, capture_output=True, text=True, env=self.environ, timeout=PATIENCE, check=False
        )
        if ran.returncode:
            self.refused.append(f"{given}: {ran.returncode} {ran.stderr.strip()}")

    def _prompt(self) -> None:
        line = [sys.executable, "-P", "-m", "jaxtutor", "repl"]
        with Terminal(line, self.environ, self.home) as prompt:
            prompt.find("2>", PATIENCE)
            for cell in ("x = jnp.arange(5.0)", "jax.grad(jnp.sum)(x)", "1/0", "jnp.ones(3) @ x"):
                prompt.write(cell + "\r")
                time.sleep(0.7)
            prompt.write("\x04")
            if prompt.wait(30) is None:
                prompt.write("\x03\x04")
            if prompt.wait(30) != 0:
                self.refused.append(f"repl: {prompt.popen.poll()} {prompt.text[-300:]!r}")

    # ------------------------------------------------------------ measuring

    def measure(self, hours: float) -> Sample:
        """Measure everything that could grow."""
        tutor, session = self.tutor, self.session
        data = self.folder / "jaxtutor" / "data"
        both = (tutor, session)
        return Sample(
            hours,
            tutor.memory_info().rss / 1e6,
            session.memory_info().rss / 1e6,
            _peak(session.pid),
            sum(it.num_fds() for it in both),
            sum(it.num_threads() for it in both),
            len(tutor.children(recursive=True)),
            sum(len(files) for _, _, files in os.walk(self.temporary)),
            _size(data / "progress.sqlite3"),
            _size(data / "progress.sqlite3-wal"),
        )


ACTIONS: dict[Callable[[Learner], None], float] = {
    Learner._right: 14,
    Learner._wrong: 16,
    Learner._starter: 2,
    Learner._syntax_error: 16,
    Learner._hostile: 8,
    Learner._memory_hog: 0.15,
    Learner._no_text: 2,
    Learner._burst: 3,
    Learner._deleted: 1,
    Learner._killed: 2,
    Learner._hint: 6,
    Learner._view: 12,
    Learner._scroll: 3,
    Learner._size: 3,
    Learner._check_again: 2,
    Learner._reset: 1,
    Learner._type: 3,
    Learner._next: 6,
    Learner._stop_for_a_while: 0.5,
    Learner._command: 3,
    Learner._prompt: 0.5,
}


def run(share: Share) -> Iterator[Figure]:
    """Use a session for four hours times `size`."""
    size = share.size
    folder = Path(tempfile.mkdtemp(dir="/var/tmp", prefix="soak-"))
    learner = Learner(folder, SEED)
    learner.start_session()
    samples: list[Sample] = []
    hasty: list[Sample] = []
    left: list[psutil.Process] = []
    broken: list[str] = []
    try:
        samples.extend(_use(learner, SOAK_HOURS * size))
        hasty.extend(_hurry(learner, max(round(HASTY * size), 40)))
        left = learner.leave()
    except AssertionError as error:  # the measurements until then are reported as well
        broken.append(str(error))
    finally:
        learner.terminal.close()
    yield Figure(
        promise="the session runs to the end",
        tried=1,
        held=int(not broken),
        detail=f"{samples[-1].hours if samples else 0:.2f} hours",
        failures=tuple(broken),
    )
    did = ", ".join(f"{count} {what}" for what, count in learner.done.most_common())
    lost = tuple(learner.lost)
    yield Figure(
        promise="every save is in the store",
        tried=learner.saved,
        held=learner.saved - len(lost),
        detail=f"seed {SEED}; {did}",
        failures=lost,
    )
    beside = learner.done["command"] + learner.done["prompt"]
    refused = tuple(learner.refused)
    yield Figure(
        promise="commands and prompts run at the same time answer",
        tried=beside,
        held=beside - len(refused),
        failures=refused,
    )
    if samples:
        yield from judge(samples)
    if hasty:
        yield from judge(hasty, f"in {round(HASTY * size):,} hasty saves, ")
    gone = tuple(f"process {process.pid} is left" for process in left)
    kept = [path for path in learner.temporary.rglob("*") if path.is_file()]
    gone += tuple(f"temporary file {path} is left" for path in kept)
    yield Figure(promise="nothing remains", tried=1, held=int(not gone), failures=gone)
    shutil.rmtree(folder, ignore_errors=True)


def _use(learner: Learner, hours: float) -> Iterator[Sample]:
    """Use the session for a time, and measure it from time to time while it is idle."""
    if hours >= SHORT:
        learner.do_everything()
    began = time.monotonic()
    pause = max(10.0, hours * 3600 / SAMPLES)
    due = began
    while (now := time.monotonic()) < began + hours * 3600:
        learner.do_something()
        if now >= due:
            due = now + pause
            sample = learner.measure((now - began) / 3600)
            sys.stderr.write(" ".join(f"{value:.4g}" for value in _values(sample)) + "\n")
            yield sample


def _hurry(learner: Learner, saves: int) -> Iterator[Sample]:
    """Save as fast as saves are reported, and measure forty times."""
    began = time.monotonic()
    for number in range(saves):
        WAYS["rename_over"](learner.file, b"x = (  # in haste, %d\n" % number)
        time.sleep(HASTE)
        if number % (saves // 40) == 0:
            yield learner.measure((time.monotonic() - began) / 3600)


def _values(sample: Sample) -> list[float]:
    return [getattr(sample, field.name) for field in fields(sample)]


def judge(samples: list[Sample], when: str = "") -> Iterator[Figure]:
    """Compare the last quarter with the second for each measurement."""
    for field in fields(Sample)[1:]:
        values = [float(getattr(sample, field.name)) for sample in samples]
        before, after = _quarter(values, 1), _quarter(values, 3)
        slope = _slope([sample.hours for sample in samples], values)
        flat = after <= max(before * GROWTH + SLACK, BOUNDS.get(field.name, 0.0))
        points = [values[min(len(values) * n // 4, len(values) - 1)] for n in range(5)]
        curve = " ".join(f"{value:.4g}" for value in points)
        seen = f"{curve}; {slope:+.3g} an hour; 2nd quarter {before:.4g}, last {after:.4g}"
        yield Figure(
            promise=f"{when}{field.name} does not grow",
            tried=1,
            held=int(flat),
            detail=seen,
            failures=() if flat else (seen,),
        )


def _quarter(values: list[float], which: int) -> float:
    """Return the median of one quarter."""
    size = len(values)
    return statistics.median(values[size * which // 4 : size * (which + 1) // 4] or values)


def _slope(times: list[float], values: list[float]) -> float:
    """Return the growth per hour, by least squares."""
    if len(set(times)) < 2:
        return 0.0
    return statistics.linear_regression(times, values).slope


def _peak(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("VmHWM"))


def _size(path: Path) -> float:
    return path.stat().st_size / 1e6 if path.exists() else 0.0


def _wait(is_so: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True
