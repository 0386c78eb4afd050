"""Tries submissions that go wrong: loops, floods, crashes, daemons, and more.

Each kind of tests/hostile is submitted at every entrance. The verdict must name what happened, in
time; nothing may remain; and the next submission must be checked as usual.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import psutil

from jaxtutor.processes import sandbox
from trials import Figure, Share
from trials.built_in import learner_file
from trials.entrances import (
    COLUMNS,
    INTERRUPTED,
    ROWS,
    Ended,
    Seen,
    Terminal,
    plain,
    read_check,
    read_diagnosis,
    read_json,
    tutor,
)
from trials.kinds import FOLDER, Expectation, Kind
from trials.submissions import RIGHT, find
from trials.tmux import Tmux
from trials.tutor import Answer

ROOT = Path(__file__).parent.parent
LESSON = learner_file("safe-clip-positive").with_suffix("")

SECONDS, MEMORY = 4.0, 1024
"""What the lesson allows a submission, so that the trial does not last by waiting."""

PATIENCE = 20.0
"""Seconds beyond its limit in which a verdict must have come, on a machine that is busy."""

MARK = "JAXTUTOR_TRIAL"
GROWTH = 24.0
"""MiB that a tutor may hold more after all kinds than after the first."""


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
        kept = [line for line in info if not line.startswith(("requires", "needs"))]
        # In front: after the hints at the end it would belong to the last of them.
        kept.insert(0, f"needs = {{ seconds = {SECONDS}, memory = {MEMORY} }}")
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
            "JAXTUTOR_NO_KEEP": "yes",  # what a command leaves waiting for the next would be litter
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
        """Return whether a descendant that shows no mark came from here: others run beside us."""
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

    def end_all(self, spared: Collection[int] = ()) -> None:
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


# ---------------------------------------------------------------- results


@dataclass
class Ledger:
    """Counts, for each promise, how often it was tried and where it was broken."""

    entrance: str
    tried: dict[str, int] = field(default_factory=dict)
    broken: dict[str, list[str]] = field(default_factory=dict)

    def note(self, promise: str, kind: str, trouble: str) -> None:
        """Record one trial of a promise. An empty `trouble` means that it held."""
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


NAMED = "the verdict names what happened"
IN_TIME = "the verdict comes in time"
NOTHING_LEFT = "none of its processes remains"
NO_LITTER = "none of its files remains"
NEXT = "the next submission gets the right verdict"


def misfit(expected: Expectation, status: str, shown: str) -> str:
    """Return how a verdict differs from the expected one, or an empty string."""
    if expected.fits(status, shown):
        return ""
    if status not in expected.statuses:
        return f"{status} instead of {'|'.join(expected.statuses)}: {shown[:300]}"
    return f"{expected.words!r} is not in: {shown[:400]}"


# ---------------------------------------------------------------- a session's checks


class Tutor:
    """A tutor in a process of its own, as `trials.tutor` serves it."""

    def __init__(self, place: Place) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "trials.tutor", str(place.course)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=place.environ,
            cwd=place.folder / "cwd",
            start_new_session=True,
        )

    def check(self, path: Path) -> Answer:
        """Check a file. Raise EOFError if the process has ended."""
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
        return msgspec.convert(json.loads(answer), Answer)

    @property
    def own(self) -> set[int]:
        """The processes that may run between two checks: the tutor, and the spare worker."""
        with contextlib.suppress(psutil.NoSuchProcess):
            tutor = psutil.Process(self.process.pid)
            return {tutor.pid, *[child.pid for child in tutor.children()][-1:]}
        return set()

    def has_only_its_own(self, running: dict[int, str]) -> bool:
        """Return whether nothing else runs."""
        return set(running) <= self.own

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
    """Hand kinds to one tutor, one after another, with a right submission after each."""
    ledger = Ledger("check")
    tutor = Tutor(place)
    held: list[Answer] = []
    try:
        tutor.check(place.write(RIGHT))
        for kind in kinds:
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
        promise="check: nothing remains when jaxtutor ends",
        tried=1,
        held=0 if left else 1,
        failures=tuple(left),
    )
    yield from _growth(held)


def _check_one(place: Place, tutor: Tutor, kind: Kind, ledger: Ledger) -> Answer:
    """Check one kind, then a correct submission, and record which promises held."""
    answer = tutor.check(place.write(kind.source))
    expected = kind.elsewhere.get("check", kind.expects)
    ledger.note(NAMED, kind.name, misfit(expected, answer.status, answer.shown))
    late = f"{answer.seconds:.1f} s" if answer.seconds > SECONDS + PATIENCE else ""
    ledger.note(IN_TIME, kind.name, late)
    left = place.left_after(tutor.has_only_its_own)
    ledger.note(NOTHING_LEFT, kind.name, "; ".join(left))
    if left:
        place.end_all(spared=tutor.own)
    ledger.note(NO_LITTER, kind.name, "; ".join(place.litter()[:5]))
    place.tidy()
    after = tutor.check(place.write(RIGHT))
    wrong = "" if after.status == "passed" else f"{after.status}: {after.shown[:300]}"
    ledger.note(NEXT, kind.name, wrong)
    return after


def _growth(held: Sequence[Answer]) -> Iterator[Figure]:
    """Compare the resources of the process after the first kind and after the last."""
    first, last = held[0], held[-1]
    rss = last.rss - first.rss
    descriptors = last.descriptors - first.descriptors
    threads = last.threads - first.threads
    detail = f"{rss:+.1f} MiB, {descriptors:+} descriptors, {threads:+} threads"
    good = rss < GROWTH and descriptors <= 0 and threads <= 0
    yield Figure(
        promise="check: jaxtutor itself has not grown",
        tried=1,
        held=int(good),
        detail=f"{detail} over {len(held)} kinds",
        failures=() if good else (detail,),
    )


# ---------------------------------------------------------------- commands


def run_command(
    place: Place, command: Sequence[str], seconds: float, stdin: Path | None = None
) -> Ended:
    """Run a command to its end in its own terminal."""
    return Terminal(command, place.environ, place.folder / "cwd", stdin).end(seconds)


def _look(place: Place, ledger: Ledger, kind: Kind, seen: Seen, may_leave: bool = False) -> None:
    """Record which promises held for a command that ran one kind."""
    expected = _expected(kind, ledger.entrance)
    ledger.note(NAMED, kind.name, misfit(expected, seen.status, seen.shown) or seen.trouble)
    late = f"{seen.seconds:.1f} s" if seen.seconds > SECONDS + PATIENCE else ""
    ledger.note(IN_TIME, kind.name, late)
    if may_leave:
        place.end_all()
    else:
        left = place.left_after(lambda running: not running)
        ledger.note(NOTHING_LEFT, kind.name, "; ".join(left))
        place.end_all()
    ledger.note(NO_LITTER, kind.name, "; ".join(place.litter()[:5]))
    place.tidy()


_SAME = {
    "passed": ("clean", "found"),
    "failed": ("clean", "found"),
    "raised": ("raised",),
    "timed_out": ("timed_out",),
    "crashed": ("crashed",),
    "refused": ("refused",),
}
"""What a script comes to, by what a check of the same text does."""


def _expected(kind: Kind, entrance: str) -> Expectation:
    """Return what an entrance must say of a kind."""
    name = entrance.partition(" ")[0]
    if name in kind.elsewhere:
        return kind.elsewhere[name]
    if name == "grade":  # a row of its table says how a process ended, and little else
        return _translated(kind.expects, lambda status: (status,), ("crashed",))
    if name != "diagnose":
        return kind.expects
    return _translated(kind.expects, _SAME.__getitem__, ("raised",), ("crashed",))


def _translated(
    expected: Expectation, to: Callable[[str], tuple[str, ...]], *with_words: tuple[str, ...]
) -> Expectation:
    """Return an expectation in other statuses, its words kept for those that tell as much."""
    statuses = tuple(new for old in expected.statuses for new in to(old))
    words = expected.words if statuses in with_words else ""
    other = _translated(expected.other, to, *with_words) if expected.other else None
    return Expectation(statuses, words, other)


def command_all(place: Place, kinds: Sequence[Kind]) -> Iterator[Figure]:
    """Check each kind by a command of its own, as from a shell."""
    ledger = Ledger("jaxtutor check")
    for kind in kinds:
        path = place.write(kind.source)
        command = tutor("check", str(path), "--plain", "--device", "cpu")
        ended = run_command(place, [*command, "--course", str(place.course)], 3 * PATIENCE)
        _look(place, ledger, kind, read_check(ended, "safe-clip-positive"))
    yield from ledger.figures()


def diagnose_all(place: Place, kinds: Sequence[Kind]) -> Iterator[Figure]:
    """Diagnose each kind as a script, which shares the terminal.

    What a script of the learner's own leaves running when it has ended is theirs, as with Python;
    nothing may be left of one that was ended.
    """
    ledger = Ledger("diagnose")
    for kind in kinds:
        path = place.write(kind.source)
        command = tutor("diagnose", "--plain", "--device", "cpu", "--timeout", f"{SECONDS + 4}")
        ended = run_command(place, capped([*command, str(path)]), 3 * PATIENCE)
        seen = read_diagnosis(ended, path.name)
        _look(place, ledger, kind, seen, may_leave=seen.status != "timed_out")
    yield from ledger.figures()


def capped(command: Sequence[str]) -> list[str]:
    """Cap the memory of a command from without: a script of the learner's own may have all."""
    return ["/bin/sh", "-c", f'ulimit -d {MEMORY << 10}; exec "$@"', "sh", *command]


def diagnose_json_all(place: Place, kinds: Sequence[Kind]) -> Iterator[Figure]:
    """Diagnose each kind with its output captured: there is one JSON object, whatever it does."""
    ledger = Ledger("diagnose --json")
    for kind in kinds:
        path = place.write(kind.source)
        command = tutor("diagnose", "--json", "--device", "cpu", "--timeout", f"{SECONDS + 4}")
        began = time.monotonic()
        ran = subprocess.run(
            capped([*command, str(path)]),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=5 * PATIENCE,
            check=False,
            env=place.environ,
            cwd=place.folder / "cwd",
        )
        seconds = time.monotonic() - began
        try:
            made = read_json(ran.stdout.decode())
            status = made.get("status") if ran.returncode != 3 else "refused"
            seen = Seen(str(status), plain(json.dumps(made)), seconds)
        except ValueError as error:
            seen = Seen("no JSON", f"{error} {ran.stderr.decode()[-200:]}", seconds)
        _look(place, ledger, kind, seen, may_leave=False)
    yield from ledger.figures()


FIRST_CELL = b"print('ready', 6 * 6)\n# %%\n"
LAST_CELL = b"\n# %%\nprint('next', 6 * 7)\n"
OVER = ("was killed", "ended the worker process", "KeyboardInterrupt", "next 42")


def _interrupt_cell(terminal: Terminal) -> None:
    """Interrupt the middle cell after the time that a check would have."""
    await_words(terminal, ("ready 36",), 3 * PATIENCE)
    for _ in range(8):
        if await_words(terminal, OVER, SECONDS):
            return
        os.kill(terminal.process.pid, signal.SIGINT)


def await_words(terminal: Terminal, words: Sequence[str], seconds: float) -> bool:
    """Wait until some of the words are shown, or the command has ended; False if they are not."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if terminal.wait(0.1) is not None or any(word in plain(terminal.text) for word in words):
            return True
    return False


def repl_all(place: Place, kinds: Sequence[Kind]) -> Iterator[Figure]:
    """Enter each kind at the prompt. The next cell must be answered."""
    ledger = Ledger("repl")
    for kind in kinds:
        text = place.folder / "cells.py"
        text.write_bytes(FIRST_CELL + kind.source + LAST_CELL)
        command = capped(tutor("repl", "--plain", "--device", "cpu"))
        terminal = Terminal(command, place.environ, place.folder / "cwd", text)
        _interrupt_cell(terminal)
        ended = terminal.end(3 * PATIENCE)
        shown = plain(ended.text)
        wrong = "" if "next 42" in shown else f"status {ended.status}: {shown[-400:]}"
        ledger.note("the next cell is answered", kind.name, wrong)
        seen = Seen("ended" if ended.status in (0, 1) else str(ended.status), shown, ended.seconds)
        left = place.left_after(lambda running: not running)
        ledger.note(NOTHING_LEFT, kind.name, "; ".join(left))
        trouble = "" if seen.status == "ended" else f"exit status {ended.status}"
        trouble = trouble or ("" if ended.settings_kept else "the terminal's settings are others")
        ledger.note("the prompt ends normally", kind.name, trouble)
        place.end_all()
        place.tidy()
    yield from ledger.figures()


def grade_all(place: Place, kinds: Sequence[Kind], how: str = "never") -> Iterator[Figure]:
    """Grade all kinds as one class: each gets a grade, and none affects another."""
    ledger = Ledger(f"grade --confine {how}")
    submissions = place.folder / "submissions"
    for kind in kinds:
        file = submissions / kind.name / f"{LESSON.name}.py"
        file.parent.mkdir(parents=True)
        file.write_bytes(kind.source)
    command = tutor("grade", str(submissions), "--json", "--jobs", "2", "--confine", how)
    ran = subprocess.run(
        [*command, "--course", str(place.course), "--device", "cpu"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=(SECONDS + PATIENCE) * len(kinds) + 3 * PATIENCE,
        check=False,
        env=place.environ,
        cwd=place.folder / "cwd",
    )
    shutil.rmtree(submissions)
    grades = {}
    with contextlib.suppress(ValueError):
        grades = {row["learner"]: row for row in read_json(ran.stdout.decode())["grades"]}
    for kind in kinds:
        row = grades.get(kind.name, {"status": f"no grade: {ran.stderr.decode()[-300:]}"})
        expected = _expected(kind, ledger.entrance)
        if how == "always":  # confinement may refuse what it tries, which raises
            expected = Expectation(("raised",), "", expected)
        ledger.note(NAMED, kind.name, misfit(expected, row["status"], json.dumps(row)))
    left = place.left_after(lambda running: not running)
    ledger.note("nothing remains", "all", "; ".join(left))
    ledger.note(NO_LITTER, "all", "; ".join(place.litter()[:5]))
    place.end_all()
    place.tidy()
    yield from ledger.figures()


def grade_confined(place: Place, kinds: Sequence[Kind]) -> Iterator[Figure]:
    """Grade all kinds as one class, confined."""
    if problem := sandbox.find_problem():
        yield Figure(promise="grade --confine always", tried=0, held=0, not_tried=problem)
    else:
        yield from grade_all(place, kinds, "always")


# ---------------------------------------------------------------- the live session


WRONG = b"def safe_clip_positive(x):\n    return x\n"
AT_SESSION = (
    *("loop_xla", "flood_both", "exit_0", "kill_group", "tty", "escapes", "stop_itself"),
    *("leak_lists", "fds_close", "thread_lives", "exec", "sys_exit"),
)
"""The kinds that could reach the screen of a session, or that it could wait for."""

_SIGNS = {
    "passed": "checks pass",
    "failed": "not passed",
    "timed_out": "did not end in time",
    "crashed": "ended its process",
    "raised": "",
}


def session_all(place: Place, kinds: Sequence[Kind]) -> Iterator[Figure]:
    """Save kinds while a session looks on: it names each, and its screen stays its own."""
    if shutil.which("tmux") is None:
        yield Figure(promise="start", tried=0, held=0, not_tried="tmux is not installed")
        return
    ledger = Ledger("start")
    (place.folder / "terminal").mkdir()
    terminal = Tmux(place.folder / "terminal", COLUMNS, ROWS, place.environ)
    try:
        place.write(WRONG)
        terminal.start("safe-clip-positive", "--course", str(place.course), "--device", "cpu")
        _await_screen(terminal, Expectation(("raised",), "enter edit"))
        clean = _save(place, terminal, RIGHT, "checks pass")
        for kind in kinds:
            _save(place, terminal, WRONG, "not passed")
            place.write(kind.source)
            shown = _await_screen(terminal, kind.expects)
            ledger.note(NAMED, kind.name, "" if _shows(shown, kind.expects) else shown)
            _save(place, terminal, WRONG, "not passed")
            after = _save(place, terminal, RIGHT, "checks pass")
            disturbed = _words(after) != _words(clean)
            ledger.note("the screen is as it was", kind.name, after if disturbed else "")
        terminal.press("q")
        _await_screen(terminal, Expectation(("raised",), "shell>"))
    finally:
        terminal.close()
    left = place.left_after(lambda running: not running)
    ledger.note("nothing is left when the session ends", "all", "; ".join(left))
    yield from ledger.figures()


def _save(place: Place, terminal: Tmux, source: bytes, words: str) -> str:
    """Save a text, and return the screen when it shows the words, or at the end."""
    place.write(source)
    return _await_screen(terminal, Expectation(("raised",), words))


def _await_screen(terminal: Tmux, expected: Expectation) -> str:
    end = time.monotonic() + SECONDS + PATIENCE
    while True:
        shown = " ".join("\n".join(terminal.screen()).split())
        if _shows(shown, expected) or time.monotonic() > end:
            return shown
        time.sleep(0.1)


def _shows(shown: str, expected: Expectation) -> bool:
    """Return whether a screen names what is expected, by the words of a verdict's first line."""
    return any(expected.fits(status, shown) for status, sign in _SIGNS.items() if sign in shown)


def _words(shown: str) -> list[str]:
    """Return what a screen says, without the times and counts."""
    return re.sub(r"[0-9][0-9.,:]*", "", shown).split()


# ---------------------------------------------------------------- Ctrl-C


SLOW = b"import time\n\nfor _ in range(300):\n    time.sleep(0.01)\n" + RIGHT
RAISES = b"import jax\n\njax.jit(lambda x: 1 if x > 0 else 0)(1.0)\n"
_CHECK = tutor("check", "--plain")
INTERRUPTED_COMMANDS: dict[str, tuple[bytes, Callable[[Place, Path], list[str]]]] = {
    "check": (SLOW, lambda place, file: [*_CHECK, str(file), "--course", str(place.course)]),
    "diagnose": (SLOW, lambda _, file: tutor("diagnose", "--plain", str(file))),
    "diagnose, while a fix is tried": (
        RAISES,
        lambda _, file: tutor("diagnose", "--plain", str(file)),
    ),
    "diagnose --json": (SLOW, lambda _, file: tutor("diagnose", "--json", str(file))),
    "grade": (
        SLOW,
        lambda place, file: [
            *tutor("grade", str(file.parent.parent), "--lesson", "safe-clip-positive"),
            *("--jobs", "2", "--course", str(place.course)),
        ],
    ),
}


MOMENTS = 20
"""How many moments of each command are tried at size 1."""

_SWALLOWED = "_xla_gc_callback"
"""What Python names where Ctrl-C met a callback of JAX from C, which goes on without it."""

_OWN_FRAME = re.compile(r"File \W*\S*/jaxtutor/")
_STARTING = "<frozen site>"
"""The place of a Ctrl-C that met Python before it came to jaxtutor."""


def interrupts(place: Place, moments: Sequence[int], seed: int = 7) -> Iterator[Figure]:
    """Press Ctrl-C at some of the `MOMENTS` between a command's start and its end."""
    for name, (source, command) in INTERRUPTED_COMMANDS.items():
        ledger = Ledger(f"Ctrl-C in {name}")
        file = place.write(source)
        whole = run_command(place, command(place, file), 5 * PATIENCE).seconds
        for number in moments:
            dice = random.Random(f"{name}-{seed}-{number}")
            after = (number + dice.random()) * whole / MOMENTS
            _interrupt(place, ledger, f"after {after:.2f} s", command(place, file), after)
        yield from ledger.figures()


def _interrupt(
    place: Place, ledger: Ledger, name: str, command: Sequence[str], after: float, presses: int = 1
) -> None:
    """Run a command, press Ctrl-C, and note how it ends."""
    terminal = Terminal(command, place.environ, place.folder / "cwd", None)
    await_words(terminal, ("ready 36",), after)
    was_over = terminal.wait(0) is not None
    for _ in range(0 if was_over else presses):
        terminal.type(b"\x03")
        terminal.wait(0.5)
    ended = terminal.end(PATIENCE)
    if not was_over:
        shown = plain(ended.text)
        is_heeded = ended.status in INTERRUPTED or _SWALLOWED in shown
        trouble = "" if is_heeded else f"{ended.status}: {shown[-300:]}"
        ledger.note("the status is that of an interrupted command", name, trouble)
        ours = _OWN_FRAME.search(shown) if _STARTING not in shown else None
        ledger.note("no traceback of ours is shown", name, shown[-600:] if ours else "")
        kept = "" if ended.settings_kept else "others"
        ledger.note("the terminal's settings are as they were", name, kept)
    left = place.left_after(lambda running: not running)
    ledger.note("nothing remains", name, "; ".join([*left, *place.litter()[:5]]))
    place.end_all()
    place.tidy()


STUBBORN = ("loop_xla", "loop_c", "loop_catches_all", "signals_ignored")


def stubborn(place: Place, names: Sequence[str] = STUBBORN) -> Iterator[Figure]:
    """Press Ctrl-C at scripts that do not heed it; the third press ends them by force."""
    ledger = Ledger("Ctrl-C in diagnose, three times")
    for name in names:
        source = b"print('ready', 6 * 6)\n" + (FOLDER / f"{name}.py").read_bytes()
        command = tutor("diagnose", "--plain", str(place.write(source)))
        _interrupt(place, ledger, name, command, 3 * PATIENCE, presses=3)
    yield from ledger.figures()


# ---------------------------------------------------------------- the trial


def entrances() -> Iterator[tuple[Callable[[Place, Sequence[Kind]], Iterator[Figure]], set[str]]]:
    """Yield each trial of kinds, with the names of the entrances that a kind may leave out."""
    yield check_all, {"check"}
    yield command_all, {"check"}
    yield diagnose_all, {"diagnose"}
    yield diagnose_json_all, {"diagnose", "json"}
    yield repl_all, {"repl"}
    yield grade_all, {"grade"}
    yield grade_confined, {"grade"}


def run(share: Share) -> Iterator[Figure]:
    """Try a share of the kinds at every entrance, and of the moments of Ctrl-C."""
    kinds = [*find()]
    with made_place() as place:
        for attempt, names in entrances():
            if chosen := share.of([kind for kind in kinds if not names & kind.skipped.keys()]):
                yield from attempt(place, chosen)
        if chosen := share.of([kind for kind in kinds if kind.name in AT_SESSION]):
            yield from session_all(place, chosen)
        if moments := share.of(range(MOMENTS)):
            yield from interrupts(place, moments)
        yield from stubborn(place, share.of(STUBBORN))
