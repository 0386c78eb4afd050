"""Tries the file watcher inside `check --watch` and `start`, with real workers and a real store.

The store shows the result of each save: an attempt, or a text that was kept when overtaken.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from trials import Figure
from trials.built_in import lesson_folder
from trials.saving import IN_PIECES, WAYS
from trials.terminals import Terminal

SEED = 5
ROOT = Path(__file__).resolve().parents[1]
PREFIX = "\x1b[24~"
LESSON = "safe-clip-positive"
FOLDER = lesson_folder(LESSON)
PATIENCE = 120.0
STOOD = 2.0
"""Seconds after which a save has certainly been noticed, also on a busy machine."""
PAUSES = ((0.55, 0.005, 0.3), (0.3, 0.3, 1.0), (0.15, 1.0, 4.0))
"""Pauses between saves: the proportion, and the bounds in seconds."""
IDLE_CPU = 0.5
"""Percent of one core that waiting may cost."""
IDLE_WAKES = 300.0
"""Wake-ups per second that all processes together may have. The watcher alone has thirty."""
CALM = 12.0
"""Seconds after the last change until everything only waits."""


@dataclass(frozen=True)
class Saved:
    """One save, and how long its text was in the file."""

    data: bytes
    stood: float


@dataclass
class Place:
    """A folder with a learner's files and store."""

    folder: Path
    environ: Mapping[str, str]
    saves: list[tuple[float, bytes]] = field(default_factory=list)

    @property
    def file(self) -> Path:
        """The learner's file."""
        return self.folder / "jaxtutor" / "workspace" / FOLDER.parent.name / f"{FOLDER.name}.py"

    def ask(self, query: str) -> list[bytes]:
        """Return the texts in the store, in order."""
        path = self.folder / "jaxtutor" / "data" / "progress.sqlite3"
        store = f"file:{path}?mode=ro"
        with suppress(sqlite3.Error), closing(sqlite3.connect(store, uri=True)) as db:
            return [zlib.decompress(body) for (body,) in db.execute(query)]
        return []

    @property
    def attempts(self) -> list[bytes]:
        """The texts that have a verdict."""
        return self.ask(
            "SELECT body FROM attempts JOIN sources ON sources.id = source ORDER BY attempts.id"
        )

    @property
    def kept(self) -> list[bytes]:
        """The texts that were overtaken by a newer save."""
        return self.ask("SELECT body FROM kept JOIN sources ON sources.id = source")

    def save(self, way: str, data: bytes) -> None:
        """Save in one of the ways."""
        WAYS[way](self.file, data)
        self.saves.append((time.monotonic(), data))

    def await_verdict(self, data: bytes, times: int = 1) -> bool:
        """Wait until a text has been checked a number of times."""
        return wait(lambda: self.attempts.count(data) >= times, PATIENCE)


@contextmanager
def place(visual: str = "cat -") -> Iterator[Place]:
    """Create a folder for one learner."""
    with tempfile.TemporaryDirectory(
        dir="/var/tmp", prefix="watched-", ignore_cleanup_errors=True
    ) as name:
        environ = os.environ | {
            "HOME": name,
            "JAXTUTOR_HOME": str(Path(name, "jaxtutor")),
            "PYTHONPATH": str(ROOT),
            "VISUAL": visual.replace("HERE", name),
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
        }
        yield Place(Path(name), environ)


@contextmanager
def check_watch(here: Place) -> Iterator[tuple[psutil.Process, list[str]]]:
    """Run `check --watch`. Yield the process and its output, which is complete at the end."""
    lines: list[str] = []
    with (here.folder / "printed").open("w+") as printed:
        ran = subprocess.Popen(
            [sys.executable, "-P", "-m", "jaxtutor", "check", LESSON, "--watch", "--json"],
            env=here.environ,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            cwd=here.folder,
        )
        try:
            answered = here.folder / "printed"
            assert wait(lambda: '"schema"' in answered.read_text(), PATIENCE), "no first verdict"
            yield psutil.Process(ran.pid), lines
            ran.send_signal(signal.SIGINT)
            ran.wait(PATIENCE)
        finally:
            ran.kill()
            ran.wait()
        printed.seek(0)
        lines += printed.read().splitlines()


@contextmanager
def start(here: Place, opens: str = "\r") -> Iterator[tuple[psutil.Process, Terminal]]:
    """Run `start` with the editor open."""
    command = [sys.executable, "-P", "-m", "jaxtutor", "start", LESSON]
    with Terminal(command, here.environ, here.folder) as terminal:
        assert terminal.find("enter", PATIENCE), terminal.text
        assert terminal.find("TracerBool", PATIENCE), terminal.text
        terminal.write(opens)
        time.sleep(1.0)
        yield psutil.Process(terminal.popen.pid), terminal


def wait(is_so: Callable[[], bool], seconds: float) -> bool:
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


# ---------------------------------------------------------------- saves


def text_of(number: int, chance: random.Random, works: bool = False) -> bytes:
    """Return a text for one save. A text that runs prints its number."""
    if works or chance.random() < 0.3:
        solution = (FOLDER / "solution.py").read_text()
        return f"{solution}\nprint('save', {number})\n".encode()
    return f"x = (  # save {number}\n".encode()


def save_often(here: Place, count: int, chance: random.Random) -> None:
    """Save a number of times at random moments. The last text runs."""
    weights = [share for share, *_ in PAUSES]
    ways = [way for way in WAYS if way != "appended" and way not in IN_PIECES]
    for number in range(count):
        here.save(chance.choice(ways), text_of(number, chance, number == count - 1))
        _, *between = chance.choices(PAUSES, weights)[0]
        time.sleep(chance.uniform(*between))
    here.await_verdict(here.saves[-1][1])


def judge(here: Place) -> list[str]:
    """Return what is wrong with the store after the saves."""
    failures = []
    attempts, kept = here.attempts, here.kept
    ends = [when for when, _ in here.saves[1:]] + [float("inf")]
    for number, ((when, data), end) in enumerate(zip(here.saves, ends, strict=True)):
        if end - when >= STOOD and data not in attempts and data not in kept:
            failures.append(f"save {number} stood {end - when:.1f} s and is not in the store")
    numbers = {data: number for number, (_, data) in enumerate(here.saves)}
    order = [numbers[data] for data in attempts if data in numbers]
    if order != sorted(set(order)):
        failures.append(f"not checked once and in order: {order}")
    if attempts[-1] != here.saves[-1][1]:
        failures.append("the last save has no verdict, or not the last")
    strange = [data for data in [*attempts, *kept] if data not in numbers]
    return failures + [f"in the store, but nobody saved it: {data[:60]!r}" for data in strange]


def try_check_watch(count: int) -> Figure:
    """Save while `check --watch` runs."""
    with place() as here:
        with check_watch(here) as (_, lines):
            save_often(here, count, random.Random(SEED))
            time.sleep(1.0)
        failures = judge(here)
        reports = [json.loads(line) for line in lines if line.startswith("{")]
        said = [report["stdout"] for report in reports]
        numbers = [int(text.split()[1]) for text in said if text and text.startswith("save ")]
        if numbers != sorted(set(numbers)) or numbers[-1:] != [count - 1]:
            failures.append(f"verdicts were printed in this order: {numbers}")
        others = [line for line in lines if not line.startswith("{")]
        failures += [f"printed: {line}" for line in others]
        return _figure(
            "saves under `check --watch`",
            count,
            failures,
            f"seed {SEED}; {len(here.attempts)} verdicts, {len(here.kept)} kept when overtaken",
        )


def try_start(count: int) -> Figure:
    """Save while `start` runs."""
    with place() as here:
        with start(here) as (_, terminal):
            save_often(here, count, random.Random(SEED + 1))
            failures = judge(here)
            if not terminal.find("passed", 20):
                failures.append(f"the last verdict is not shown: {terminal.text[-500:]}")
        return _figure(
            "saves beside `start`",
            count,
            failures,
            f"seed {SEED + 1}; {len(here.attempts)} verdicts, {len(here.kept)} kept",
        )


def try_first_saves() -> Figure:
    """Save the unchanged starter, touch it, and save it again: exactly one more verdict."""
    failures = []
    with place() as here, check_watch(here):
        failures += _save_unchanged(here, "check --watch")
    with place() as here, start(here):
        failures += _save_unchanged(here, "start")
    return _figure("a first save gets a verdict though it changes nothing", 2, failures)


def _save_unchanged(here: Place, what: str) -> list[str]:
    starter = here.file.read_bytes()
    time.sleep(1.0)
    here.save("in_place", b"y = 1\n")
    if not here.await_verdict(b"y = 1\n"):
        return [f"{what}: the first save got no verdict"]
    os.utime(here.file)
    here.save("rename_over", b"y = 1\n")
    time.sleep(2.0)
    here.save("in_place", b"x = (\n")
    here.await_verdict(b"x = (\n")
    here.save("in_place", starter)
    time.sleep(2.0)
    if here.attempts != [b"y = 1\n", b"x = (\n"]:
        return [f"{what}: {len(here.attempts)} verdicts"]
    return []


def try_stopping() -> Figure:
    """Stop every process of jaxtutor for five seconds, and save meanwhile."""
    failures = []
    with place() as here, check_watch(here) as (process, _):
        failures += _save_while_stopped(here, [process], "check --watch")
    with place() as here, start(here) as (process, _):
        name = "jaxtutor.session.session_process"
        ours = [process, *(it for it in process.children() if name in it.cmdline())]
        failures += _save_while_stopped(here, ours, "start")
    return _figure("saves while the tutor is stopped for 5 s", 2, failures)


def _save_while_stopped(here: Place, processes: list[psutil.Process], what: str) -> list[str]:
    for process in processes:
        process.send_signal(signal.SIGSTOP)
    for number in range(10):
        here.save("rename_over", b"x = (  # stopped %d\n" % number)
        time.sleep(0.5)
    for process in processes:
        process.send_signal(signal.SIGCONT)
    last = here.saves[-1][1]
    return [] if here.await_verdict(last) else [f"{what}: the last save got no verdict"]


# ---------------------------------------------------------------- unusual files


def _make_large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 30)


def _take_folder(path: Path) -> None:
    path.parent.rmdir()


def _block_folder(path: Path) -> None:
    path.parent.rmdir()
    path.parent.touch()


ODD: dict[str, Callable[[Path], object]] = {
    "nothing": lambda path: None,
    "a folder": Path.mkdir,
    "a named pipe": os.mkfifo,
    "an endless device": lambda path: path.symlink_to("/dev/zero"),
    "a link to itself": lambda path: path.symlink_to(path),
    "1 GiB of nothing": _make_large,
    "no folder": _take_folder,
    "a file for a folder": _block_folder,
}


def try_odd() -> Figure:
    """Replace the file by unusual things, press every key, and save a text again."""
    failures = []
    with place() as here, start(here) as (_, terminal):
        for number, (what, make) in enumerate(ODD.items()):
            here.file.unlink()
            make(here.file)
            time.sleep(1.0)
            for key in "vtfjdal?ch":
                terminal.write(PREFIX + key)
                time.sleep(0.1)
            _clear(here.file)
            text = f"x = (  # after {number}\n".encode()
            here.file.write_bytes(text)
            if not here.await_verdict(text):
                failures.append(f"{what}: no verdict afterwards: {terminal.text[-300:]!r}")
    return _figure("a session goes on whatever takes the file's place", len(ODD), failures)


def try_opening() -> Figure:
    """Open the editor on unusual things, and save a text again."""
    failures = []
    with place("sleep 0.2") as here, start(here, "") as (_, terminal):
        for number, (what, make) in enumerate(ODD.items()):
            here.file.unlink()
            make(here.file)
            time.sleep(0.5)
            terminal.write("\r")
            time.sleep(1.5)
            _clear(here.file)
            text = f"x = (  # after {number}\n".encode()
            here.file.write_bytes(text)
            if not here.await_verdict(text):
                failures.append(f"{what}: no verdict afterwards: {terminal.text[-300:]!r}")
    return _figure("an editor is opened whatever has the file's place", len(ODD), failures)


def _clear(file: Path) -> None:
    """Remove whatever is in place of the file."""
    if file.parent.is_file():
        file.parent.unlink()
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.is_dir():
        file.rmdir()
    file.unlink(missing_ok=True)


# ---------------------------------------------------------------- the cost of waiting


def cost(process: psutil.Process) -> tuple[float, float]:
    """Return the seconds of CPU time and the wake-ups of a process and its descendants."""
    seconds = wakes = 0.0
    for each in (process, *process.children(recursive=True)):
        with suppress(psutil.Error, OSError):
            seconds += sum(each.cpu_times()[:2])
            for task in Path(f"/proc/{each.pid}/task").iterdir():
                lines = (task / "status").read_text().splitlines()
                wakes += next(int(it.split()[1]) for it in lines if it.startswith("voluntary"))
    return seconds, wakes


def _waiting_check(here: Place, seconds: float) -> tuple[float, float]:
    with check_watch(here) as (process, _):
        return measure(process, seconds)


def _waiting_start(here: Place, seconds: float) -> tuple[float, float]:
    with start(here) as (process, _):
        return measure(process, seconds)


def _waiting_window(here: Place, seconds: float) -> tuple[float, float]:
    code = here.folder / "code"
    code.write_text("#!/bin/sh\nexec sleep 1000\n")
    code.chmod(0o755)
    with start(here, "") as (process, terminal):
        assert terminal.find("opens in its own window", PATIENCE), terminal.text
        return measure(process, seconds)


def measure(process: psutil.Process, seconds: float) -> tuple[float, float]:
    """Return the percentage of a core and the wake-ups per second that waiting costs."""
    time.sleep(CALM)
    before = cost(process)
    time.sleep(seconds)
    after = cost(process)
    return (after[0] - before[0]) / seconds * 100, (after[1] - before[1]) / seconds


WAITING: dict[str, tuple[str, Callable[[Place, float], tuple[float, float]]]] = {
    "check --watch": ("cat -", _waiting_check),
    "start beside vim": ("vim -Nu NONE -n", _waiting_start),
    "start with a window": ("HERE/code --wait", _waiting_window),
}


def try_waiting(seconds: float) -> Iterator[Figure]:
    """Measure the cost of waiting for a save."""
    for what, (visual, wait_in) in WAITING.items():
        with place(visual) as here:
            percent, wakes = wait_in(here, seconds)
        yield Figure(
            promise=f"waiting costs under {IDLE_CPU} % of a core: {what}",
            tried=1,
            held=int(percent < IDLE_CPU and wakes < IDLE_WAKES),
            detail=f"{percent:.2f} %, {wakes:.0f} wakes a second, over {seconds:.0f} s",
        )


def run(size: float) -> Iterator[Figure]:
    """Try all of it: three hundred saves times `size`, and a minute of waiting three times."""
    yield try_check_watch(max(round(200 * size), 10))
    yield try_start(max(round(100 * size), 10))
    yield try_first_saves()
    yield try_stopping()
    yield try_odd()
    yield try_opening()
    yield from try_waiting(60.0 if size >= 0.5 else 15.0)


def _figure(promise: str, tried: int, failures: list[str], detail: str = "") -> Figure:
    held = max(tried - len(failures), 0)
    return Figure(
        promise=promise, tried=tried, held=held, detail=detail, failures=tuple(failures[:20])
    )
