"""Owns the trial of submissions that go wrong: loops, floods, crashes, daemons, and more.

Each kind of tests/hostile is handed in wherever a learner hands something in. What happened must be
named, in time; nothing of it may be left; and the next submission must be served as ever.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import psutil

from reliability import Figure
from reliability.kinds import Expectation, Kind, find
from reliability.made import RIGHT
from reliability.tutor import Told

ROOT = Path(__file__).parent.parent.parent
LESSON = Path("03_error_clinic") / "01_safe_clip_positive"

SECONDS, MEMORY = 4.0, 1024
"""What the lesson allows a submission, so that the trial does not last by waiting."""

PATIENCE = 20.0
"""Seconds beyond its limit in which a verdict must have come, on a machine that is busy."""

MARK = "JAXTUTOR_TRIAL"
GROWTH = 24.0
"""MiB that a tutor may hold more after all kinds than after the first."""

CORE = (
    *("loop_python", "loop_xla", "loop_c", "leak_lists", "flood_stdout"),
    *("exit_0", "kill_group", "daemon", "fds_dup2", "tty"),
)
"""The kinds that are tried at a small size."""


# ---------------------------------------------------------------- a place to work in


class Place:
    """A folder with a course of one lesson, a learner's home, and folders to spy on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mark = os.urandom(8).hex()
        self.course = folder / "course"
        lesson = self.course / LESSON
        shutil.copytree(ROOT / "lessons" / LESSON, lesson)
        shutil.copy(ROOT / "lessons" / "course.toml", self.course)
        shutil.copy(ROOT / "lessons" / LESSON.parent / "chapter.md", lesson.parent)
        info = (lesson / "lesson.toml").read_text(encoding="utf-8").splitlines()
        kept = [line for line in info if not line.startswith("requires")]
        kept.append(f"needs = {{ seconds = {SECONDS}, memory = {MEMORY} }}\n")
        (lesson / "lesson.toml").write_text("\n".join(kept), encoding="utf-8")
        for name in ("home", "tmp", "cwd"):
            (folder / name).mkdir()
        self.file = folder / "home" / "workspace" / f"{LESSON}.py"
        self.file.parent.mkdir(parents=True)

    @property
    def environ(self) -> dict[str, str]:
        """The environment of whatever runs here, by which it is known."""
        inherited = {
            name: text
            for name, text in os.environ.items()
            if name.startswith(("LANG", "LC_", "LD_", "PATH"))
        }
        return {
            **inherited,
            "HOME": str(self.folder / "home"),
            "JAXTUTOR_HOME": str(self.folder / "home"),
            "JAXTUTOR_TRUST_COURSE": "yes",
            "JAX_PLATFORMS": "cpu",
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")]),
            "TERM": "xterm",
            "TMPDIR": str(self.folder / "tmp"),
            MARK: self.mark,
        }

    def write(self, source: bytes) -> Path:
        """Save a submission as an editor does, by renaming, and name its file."""
        fresh = self.file.with_suffix(".new")
        self.file.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_bytes(source)
        fresh.replace(self.file)
        return self.file

    def litter(self) -> list[str]:
        """Name the files that lie where only somebody's temporary files can."""
        found = [self.folder / name for name in ("tmp", "cwd")]
        return sorted(
            str(path.relative_to(self.folder)) for top in found for path in top.rglob("*")
        )

    def tidy(self) -> None:
        """Empty the folders in which litter is looked for."""
        for name in ("tmp", "cwd"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
            (self.folder / name).mkdir(exist_ok=True)

    # -------------------------------------------------------- processes

    def running(self) -> dict[int, str]:
        """Return the processes that bear this place's mark or come from one that does."""
        marked: dict[int, psutil.Process] = {}
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                if process.environ().get(MARK) == self.mark:
                    marked[process.pid] = process
        for process in psutil.Process().children(recursive=True):
            if self._is_ours(process, marked):
                marked[process.pid] = process
        return {pid: _describe(process) for pid, process in marked.items() if _is_alive(process)}

    def _is_ours(self, process: psutil.Process, marked: Mapping[int, psutil.Process]) -> bool:
        """Tell whether a descendant that shows no mark came from here: others run beside us."""
        with contextlib.suppress(psutil.Error):
            return any(parent.pid in marked for parent in process.parents()) or (
                process.ppid() == os.getpid() and process.pid not in _expected_children()
            )
        return False

    def left_after(self, allowed: Callable[[dict[int, str]], bool]) -> list[str]:
        """Wait until what still runs is allowed; name what is not, and end it."""
        end = time.monotonic() + PATIENCE
        while not allowed(found := self.running()) and time.monotonic() < end:
            time.sleep(0.05)
        if allowed(found):
            return []
        return [f"{pid} {name}" for pid, name in sorted(found.items())]

    def end_all(self, spared: Sequence[int] = ()) -> None:
        """End whatever bears the mark."""
        for pid in self.running():
            if pid not in spared:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, 9)


_children_before: set[int] = set()


def _expected_children() -> set[int]:
    return _children_before


def _is_alive(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE or process.ppid() != os.getpid()
    except psutil.Error:
        return False


def _describe(process: psutil.Process) -> str:
    try:
        return f"({process.status()}, of {process.ppid()}) {' '.join(process.cmdline())[:100]}"
    except psutil.Error:
        return "?"


@contextlib.contextmanager
def adopting() -> Iterator[None]:
    """Take in whatever is cut loose from its parents, so that it is found though it hides."""
    import ctypes

    libc = ctypes.CDLL(None)
    _children_before.update(child.pid for child in psutil.Process().children())
    libc.prctl(36, 1)
    try:
        yield
    finally:
        libc.prctl(36, 0)
        _children_before.clear()


@contextlib.contextmanager
def made_place() -> Iterator[Place]:
    """Give a place, and take it away with all that still runs in it."""
    folder = Path(tempfile.mkdtemp(prefix="hostile-"))
    place = Place(folder)
    try:
        with adopting():
            yield place
            place.end_all()
    finally:
        for path in folder.rglob("*"):
            with contextlib.suppress(OSError):
                path.chmod(0o700)
        shutil.rmtree(folder, ignore_errors=True)


# ---------------------------------------------------------------- what is looked at


@dataclass
class Ledger:
    """Keeps, for each promise, how often it was tried and where it was broken."""

    entrance: str
    tried: dict[str, int] = field(default_factory=dict)
    broken: dict[str, list[str]] = field(default_factory=dict)

    def note(self, promise: str, kind: str, trouble: str) -> None:
        """Note one trial of a promise; no trouble means that it held."""
        self.tried[promise] = self.tried.get(promise, 0) + 1
        troubles = self.broken.setdefault(promise, [])
        if trouble:
            troubles.append(f"{kind}: {trouble}")

    def figures(self) -> Iterator[Figure]:
        """Yield a figure for each promise."""
        for promise, tried in self.tried.items():
            failures = tuple(self.broken[promise])
            held = tried - len({failure.partition(":")[0] for failure in failures})
            yield Figure(
                promise=f"{self.entrance}: {promise}", tried=tried, held=held, failures=failures
            )


NAMED = "what happened is named"
IN_TIME = "it is told in time"
NOTHING_LEFT = "no process of it is left"
NO_LITTER = "no file is left about"
NEXT = "the next submission is served rightly"


def misfit(expected: Expectation, status: str, shown: str) -> str:
    """Say how what was told differs from what is expected; nothing where it does not."""
    if status not in expected.statuses:
        return f"{status} instead of {'|'.join(expected.statuses)}: {shown[:300]}"
    if expected.words.lower() not in shown.lower():
        return f"{expected.words!r} is not in: {shown[:400]}"
    return ""


# ---------------------------------------------------------------- a session's checks


class Tutor:
    """A tutor in a process of its own, as `reliability.tutor` serves it."""

    def __init__(self, place: Place) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "reliability.tutor", str(place.course)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=place.environ,
            cwd=place.folder / "cwd",
            start_new_session=True,
        )

    def check(self, path: Path) -> Told:
        """Have a file checked. Raises EOFError where the tutor is gone."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(f"{path}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise EOFError(self.process.wait()) from error
        answer = self.process.stdout.readline()
        if not answer:
            raise EOFError(self.process.wait())
        return msgspec.convert(json.loads(answer), Told)

    def has_only_a_spare(self, running: dict[int, str]) -> bool:
        """Tell whether nothing runs but the tutor and the worker that waits for the next check."""
        own = psutil.Process(self.process.pid)
        return set(running) <= {own.pid, *[child.pid for child in own.children()][:1]}

    def close(self) -> None:
        """End it as a session ends."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE)
        self.process.kill()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.process.wait()


def check_all(place: Place, kinds: Sequence[Kind]) -> Iterator[Figure]:
    """Hand all kinds to one tutor, one after another, with a right submission after each."""
    ledger = Ledger("check")
    tutor = Tutor(place)
    held: list[Told] = []
    try:
        tutor.check(place.write(RIGHT))
        for kind in kinds:
            if "check" in kind.skipped:
                continue
            try:
                held.append(_check_one(place, tutor, kind, ledger))
            except EOFError as gone:
                ledger.note(NEXT, kind.name, f"the tutor is gone: {gone}")
                place.end_all()
                tutor.close()
                tutor = Tutor(place)
                tutor.check(place.write(RIGHT))
    finally:
        tutor.close()
    yield from ledger.figures()
    left = place.left_after(lambda running: not running)
    yield Figure(
        promise="check: nothing is left when the tutor ends",
        tried=1,
        held=0 if left else 1,
        failures=tuple(left),
    )
    yield from _growth(held)


def _check_one(place: Place, tutor: Tutor, kind: Kind, ledger: Ledger) -> Told:
    """Hand in one kind, then a right submission; note what held of each promise."""
    before = tutor.process.pid
    told = tutor.check(place.write(kind.source))
    expected = kind.elsewhere.get("check", kind.expects)
    ledger.note(NAMED, kind.name, misfit(expected, told.status, told.shown))
    late = f"{told.seconds:.1f} s" if told.seconds > SECONDS + PATIENCE else ""
    ledger.note(IN_TIME, kind.name, late)
    left = place.left_after(tutor.has_only_a_spare)
    ledger.note(NOTHING_LEFT, kind.name, "; ".join(left))
    place.end_all(spared=[before]) if left else None
    ledger.note(NO_LITTER, kind.name, "; ".join(place.litter()[:5]))
    place.tidy()
    after = tutor.check(place.write(RIGHT))
    wrong = "" if after.status == "passed" else f"{after.status}: {after.shown[:300]}"
    ledger.note(NEXT, kind.name, wrong)
    return after


def _growth(held: Sequence[Told]) -> Iterator[Figure]:
    """Compare what the tutor held after the first kind and after the last."""
    first, last = held[0], held[-1]
    rss = last.rss - first.rss
    descriptors = last.descriptors - first.descriptors
    threads = last.threads - first.threads
    detail = f"{rss:+.1f} MiB, {descriptors:+} descriptors, {threads:+} threads"
    good = rss < GROWTH and descriptors <= 0 and threads <= 0
    yield Figure(
        promise="check: the tutor itself has not grown",
        tried=1,
        held=int(good),
        detail=f"{detail} over {len(held)} kinds",
        failures=() if good else (detail,),
    )


# ---------------------------------------------------------------- the trial


def run(size: float) -> Iterator[Figure]:
    """Try every kind at every entrance; below size 1 a chosen few."""
    kinds = list(find())
    if size < 1:
        kinds = [kind for kind in kinds if kind.name in CORE]
    with made_place() as place:
        yield from check_all(place, kinds)
