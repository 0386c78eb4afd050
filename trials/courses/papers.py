"""Owns the trial of `grade`: papers that do harm, or that no one should read, in one folder.

Each paper gets a grade of its own, every table says the same, nothing is written but the tables,
and nothing is left running.
"""

from __future__ import annotations

import csv
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import psutil

from trials import Figure, sample_lessons
from trials.courses.foreign import changes, environment, snapshot
from trials.courses.traps import NASTY, OBEYED, SECRET, Spot

RIGHT = "def double(x):\n    return x + x\n"
LEFT_RUNNING = "86399.25"
"""The seconds for which a process is left asleep, by which it is known."""
NAMELESS = frozenset({"unnamed"})
FAILS = frozenset({"failed", "raised", "crashed", "timed_out"})
"""What becomes of a program that fails, however it does."""


@dataclass(frozen=True)
class Paper:
    """One way of handing something in: by its name, what lies there, and which grades are right."""

    name: str | bytes
    text: str | bytes = RIGHT
    grades: frozenset[str] = frozenset({"passed"})
    make: Callable[[Path, Spot], object] | None = None
    only_confined: bool = False

    @property
    def path(self) -> str:
        """Its path in the folder."""
        return os.fsdecode(self.name)


def _sparse(path: Path, spot: Spot) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 30)


def _socket(path: Path, spot: Spot) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        before = Path.cwd()
        os.chdir(path.parent)
        made.bind(path.name)
        os.chdir(before)


def _closed(path: Path, spot: Spot) -> None:
    path.write_text(RIGHT)
    path.chmod(0)


UNREADABLE = frozenset({"unreadable"})
ROOT_READS = UNREADABLE | {"passed"}


def _raising(text: str) -> str:
    return f"def double(x):\n    raise ValueError({text!r})\n"


def _doing(text: str) -> str:
    """Do something at import and answer rightly: what it did must have come to nothing."""
    return f"import contextlib\nwith contextlib.suppress(Exception):\n    {text}\n{RIGHT}"


PAPERS: Mapping[str, Paper] = {
    "a right one": Paper("ann_double.py"),
    "a name with an escape": Paper("\x1b[7777m\x1b]0;owned\x07_double.py"),
    "a folder with an escape": Paper(f"{OBEYED.replace('/', '')}/double.py"),
    "a name with newlines": Paper("eve\nmallory,passed\r\n_double.py"),
    "a name that climbs": Paper("x.. ..%2f..%2fx_double.py"),
    "broken bytes, others": Paper(b"\xfe\xff_double.py"),
    "a leading dash": Paper("-rf_double.py"),
    "a leading dash, a folder": Paper("--help/double.py"),
    "broken bytes": Paper(b"\xff\xfe_double.py"),
    "broken bytes, a folder": Paper(b"\xc3\x28\x9b/double.py"),
    "a formula": Paper("=cmd|' !A0'!_double.py"),
    "a formula with plus": Paper("+1+1_double.py"),
    "a formula with at": Paper("@SUM(1+1)_double.py"),
    "a formula after a space": Paper(" =1+1/double.py"),
    "a formula after a tab": Paper("\t=1+1/double.py"),
    "a formula in a folder": Paper('=HYPERLINK("x","y")/double.py'),
    "a name of marks": Paper("<a href='&amp;\">]]>_double.py"),
    "a name of markup": Paper("[bold red][link=x]_double.py"),
    "a name right to left": Paper("\u202egnp.\u2066_double.py"),
    "a very long name": Paper(f"{'n' * 240}_double.py"),
    "deep folders": Paper("deep/" + "d/" * 200 + "double.py"),
    "a name composed": Paper("caf\u00e9_double.py"),
    "a name decomposed": Paper("cafe\u0301_double.py"),
    "a name in capitals": Paper("ANN_double.py"),
    "a name like a lesson": Paper("double/double.py"),
    "named like nothing": Paper("ann/notes.py", grades=NAMELESS),
    "handed in twice": Paper("twin/double.py"),
    "handed in twice, again": Paper("twin/double (1).py"),
    "a link outside": Paper(
        "link_double.py", grades=UNREADABLE, make=lambda p, s: p.symlink_to(s.outside / "secret.py")
    ),
    "a link to a folder": Paper(
        "linked_double.py", grades=UNREADABLE, make=lambda p, s: p.symlink_to(s.outside)
    ),
    "a link to zeros": Paper(
        "zeros_double.py", grades=UNREADABLE, make=lambda p, s: p.symlink_to("/dev/zero")
    ),
    "a link to itself": Paper(
        "self_double.py", grades=UNREADABLE, make=lambda p, s: p.symlink_to(p)
    ),
    "a link to nothing": Paper(
        "gone_double.py", grades=UNREADABLE, make=lambda p, s: p.symlink_to("nothing")
    ),
    "a pipe": Paper("pipe_double.py", grades=UNREADABLE, make=lambda p, s: os.mkfifo(p)),
    "a socket": Paper("socket_double.py", grades=UNREADABLE, make=_socket),
    "0 bytes": Paper("empty_double.py", b"", FAILS),
    "1 GB": Paper("sparse_double.py", grades=UNREADABLE, make=_sparse),
    "unreadable": Paper("secret_double.py", grades=ROOT_READS, make=_closed),
    "no text": Paper("binary_double.py", bytes(range(256)), UNREADABLE),
    "UTF-16": Paper("wide_double.py", RIGHT.encode("utf-16"), UNREADABLE),
    "no Python": Paper("syntax_double.py", "def double(:\n", FAILS),
    "deep Python": Paper("nested_double.py", "x = " + "(" * 90_000, FAILS),
    "raises escapes": Paper("raises_double.py", _raising(NASTY), FAILS),
    "raises what XML cannot hold": Paper(
        "xml_double.py", _raising("\x00\x0b\ufffe\uffff]]><&\ud800"), FAILS
    ),
    "raises a formula": Paper("excel_double.py", _raising("=cmd|'/C calc'!A0\n+1"), FAILS),
    "raises at length": Paper(
        "long_double.py", "def double(x):\n    raise ValueError('x' * 3_000_000)\n", FAILS
    ),
    "prints escapes": Paper("prints_double.py", _doing(f"print({NASTY!r})")),
    "ends its process": Paper("exits_double.py", "import os\nos._exit(0)\n", FAILS),
    "never ends": Paper("hangs_double.py", "while True: pass\n", FAILS),
    "reads others' papers": Paper(
        "reader_double.py", _doing("print(open('{pile}/ann_double.py').read())")
    ),
    "reads a secret": Paper("spy_double.py", _doing("print(open('{outside}/secret.txt').read())")),
    "imports another's paper": Paper("copier_double.py", "from ann_double import double\n", FAILS),
    "writes others' papers": Paper(
        "vandal_double.py",
        _doing("open('{pile}/ann_double.py', 'w').write('spoilt')"),
        only_confined=True,
    ),
    "writes the grade book": Paper(
        "forger_double.py", _doing("open('{tables}/grades.csv', 'w').write('spoilt')")
    ),
    "writes the solution": Paper(
        "cheat_double.py",
        _doing("open('{course}/01_basics/01_double/solution.py', 'w').write('spoilt')"),
        only_confined=True,
    ),
    "writes at home": Paper(
        "settler_double.py", _doing("open('{home}/settled', 'w').write('x')"), only_confined=True
    ),
    "writes to /tmp": Paper(
        "camper_double.py", _doing("open('{outside}/camp', 'w').write('x')"), only_confined=True
    ),
    "calls the network": Paper(
        "caller_double.py",
        _doing("__import__('socket').create_connection(('127.0.0.1', {port}), 1)"),
        only_confined=True,
    ),
    "leaves a process": Paper(
        "leaver_double.py",
        _doing(
            "__import__('subprocess').Popen(['sleep', '86399.25'], start_new_session=True)"
        ),
    ),
    "kills all it can": Paper(
        "killer_double.py",
        "import os\nos.kill(-1, 9)\n",
        FAILS | {"passed"},
        only_confined=True,
    ),
}  # fmt: skip


# ---------------------------------------------------------------- one folder graded


@dataclass
class Room:
    """A course, a folder of papers, a place for the tables, and somebody who answers calls."""

    spot: Spot
    calls: list[str] = field(default_factory=list)
    port: int = 0

    @property
    def pile(self) -> Path:
        """The papers."""
        return self.spot.top / "pile"

    @property
    def tables(self) -> Path:
        """What is to be written."""
        return self.spot.top / "home" / "tables"

    def hand_in(self, papers: Sequence[Paper]) -> None:
        """Lay the papers into the folder."""
        for paper in papers:
            path = self.pile / paper.path
            path.parent.mkdir(parents=True, exist_ok=True)
            if paper.make is not None:
                paper.make(path, self.spot)
                continue
            text = paper.text
            path.write_bytes(text if isinstance(text, bytes) else self._filled(text))

    def _filled(self, text: str) -> bytes:
        places = {
            "{pile}": str(self.pile),
            "{outside}": str(self.spot.outside),
            "{tables}": str(self.tables),
            "{course}": str(self.spot.course),
            "{home}": str(self.spot.top / "home"),
            "{port}": str(self.port),
        }
        for name, place in places.items():
            text = text.replace(name, place)
        return text.encode()


def furnish(top: Path) -> Room:
    """Make the folders of a trial."""
    room = Room(Spot(top))
    info = sample_lessons.INFO + "[needs]\nseconds = 4.0\n"
    sample_lessons.make_lesson(room.spot.lesson, {"lesson.toml": info})
    for folder in (room.pile, room.tables, room.spot.outside, top / "cwd"):
        folder.mkdir(parents=True)
    (room.spot.outside / "secret.txt").write_text(SECRET)
    (room.spot.outside / "secret.py").write_text(f"# {SECRET}\n")
    server = socket.create_server(("127.0.0.1", 0))
    room.port = server.getsockname()[1]
    threading.Thread(target=_answer, args=(server, room.calls), daemon=True).start()
    return room


def _answer(server: socket.socket, calls: list[str]) -> None:
    while True:
        caller, _ = server.accept()
        calls.append("called")
        caller.close()


def start(room: Room, *options: str, environ: Mapping[str, str] = {}) -> subprocess.Popen[bytes]:
    """Start grading."""
    here = os.pathsep.join(path for path in sys.path if path)
    more = {"PYTHONPATH": here, "JAXTUTOR_TRUST_COURSE": "yes", **environ}
    words = ["grade", str(room.pile), "--course", str(room.spot.course), *options]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "jaxtutor", *words],
        cwd=room.spot.top / "cwd",
        env=environment(room.spot, more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def try_pile(top: Path, papers: Mapping[str, Paper], confine: str, seconds: float) -> list[str]:
    """Grade a folder of papers; say what was amiss."""
    room = furnish(top)
    room.hand_in(list(papers.values()))
    before = snapshot(top)
    csv_file, xml_file = room.tables / "grades.csv", room.tables / "grades.xml"
    process = start(
        room, "--json", "--confine", confine, "--csv", str(csv_file), "--junit", str(xml_file)
    )
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return [f"it did not end in {seconds:.0f} s"]
    faults = list(changes(before, snapshot(top)))
    if process.returncode != 1 or b"\x1b" in out + err:
        faults.append(f"exit status {process.returncode}: {(out + err)[-300:]!r}")
        return faults
    faults += _compare(papers, json.loads(out)["grades"], csv_file, xml_file)
    if SECRET.encode() in out + csv_file.read_bytes() + xml_file.read_bytes():
        faults.append("it tells the secret")
    if room.calls and confine == "always":
        faults.append("it called the network")
    if (top / "home" / "settled").exists():
        faults.append("it wrote at home")
    faults += [f"left running: {it}" for it in left_running(room)]
    return faults


def _compare(
    papers: Mapping[str, Paper], rows: Sequence[Mapping[str, object]], table: Path, suites: Path
) -> Iterator[str]:
    """Hold what three tables say of each paper against one another, and what is right."""
    with table.open(newline="", encoding="utf-8") as lines:
        cells = list(csv.DictReader(lines))
    root = ElementTree.parse(suites).getroot()
    if not len(rows) == len(cells) == len(root) == len(papers):
        yield f"{len(papers)} papers, {len(rows)} in JSON, {len(cells)} in CSV, {len(root)} in XML"
    if [row["status"] for row in rows] != [cell["status"] for cell in cells]:
        yield "CSV and JSON differ"
    raw = table.read_text(encoding="utf-8") + suites.read_text(encoding="utf-8")
    if any(sign in raw for sign in "\x1b\x00\x07\x08\x9b\u202e"):
        yield "a table holds what a terminal obeys"
    for cell in cells:
        if any(text.lstrip()[:1] in tuple("=+-@") for text in cell.values()):
            yield f"a formula: {cell}"
    by_file = {str(row["file"]): str(row["status"]) for row in rows}
    if len(by_file) != len(papers):
        yield "two papers have one name"
    for name, paper in papers.items():
        shown = next((file for file in by_file if _matches(paper.path, file)), None)
        if shown is None:
            yield f"{name}: no grade for {paper.path!r}"
        elif by_file[shown] not in paper.grades:
            yield f"{name}: {by_file[shown]}, not {' or '.join(sorted(paper.grades))}"


def _matches(path: str, shown: str) -> bool:
    from jaxtutor.grading.folder import _on_one_line

    return _on_one_line(path) == shown


def left_running(room: Room) -> list[str]:
    """Name the processes of the trial that still run, a moment after it."""
    marks = (LEFT_RUNNING, str(room.spot.top))
    for _ in range(20):
        found = []
        for process in psutil.process_iter():
            try:
                words = " ".join(process.cmdline())
                environ = process.environ()
            except (psutil.Error, OSError):
                continue
            ours = environ.get("HOME") == str(room.spot.top / "home")
            if any(mark in words for mark in marks) or ours:
                found.append(words)
        if not found:
            return []
        time.sleep(0.1)
    return found


# ---------------------------------------------------------------- more of it


def try_interrupt(top: Path) -> list[str]:
    """Interrupt grading with Ctrl-C; nothing is left running, and it is said how far it came."""
    room = furnish(top)
    room.hand_in([Paper(f"learner_{n}_double.py", "while True: pass\n") for n in range(6)])
    before = snapshot(top)
    process = start(room, "--confine", "never", "--csv", str(room.tables / "grades.csv"))
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not _has_workers(process.pid):
        time.sleep(0.1)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return ["it did not end"]
    faults = list(changes(before, snapshot(top)))
    if process.returncode != 130:
        faults.append(f"exit status {process.returncode}: {out + err!r}")
    if b"of 6 were graded" not in err or b"Traceback" in err:
        faults.append(f"it says {err!r}")
    return faults + [f"left running: {it}" for it in left_running(room)]


def _has_workers(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).children(recursive=True))
    except psutil.Error:
        return False


BARS: Mapping[str, str] = {
    "bwrap is missing": "",
    "bwrap is not allowed": "echo 'bwrap: No permissions to create new namespace' >&2\nexit 1\n",
    "bwrap ends at once": "exit 0x\n",
    "bwrap is killed": "kill -9 $$\n",
    "bwrap cannot be run": "\x00\x01",
}


def try_without_confinement(top: Path, bar: str) -> list[str]:
    """Ask for confinement where there is none: it is refused, and nothing runs."""
    room = furnish(top)
    mark = room.spot.outside / "ran"
    room.hand_in([Paper("ann_double.py", f"open({str(mark)!r}, 'w')\n{RIGHT}")])
    programs = top / "programs"
    programs.mkdir()
    if BARS[bar]:
        (programs / "bwrap").write_text("" if "\x00" in BARS[bar] else "#!/bin/sh\n")
        with (programs / "bwrap").open("a") as file:
            file.write(BARS[bar])
        (programs / "bwrap").chmod(0o755)
    before = snapshot(top)
    options = ("--confine", "always", "--json")
    process = start(room, *options, environ={"PATH": f"{programs}:/nowhere"})
    out, err = process.communicate(timeout=120)
    faults = list(changes(before, snapshot(top)))
    if process.returncode != 3 or b"cannot be confined" not in out or b"Traceback" in err:
        faults.append(f"exit status {process.returncode}: {(out + err)[-300:]!r}")
    return faults


def try_twice(top: Path) -> list[str]:
    """Grade the same papers twice, with another number at a time; the grades are the same."""
    room = furnish(top)
    ends = ("a right one", "no Python", "raises escapes", "0 bytes", "ends its process")
    room.hand_in([PAPERS[name] for name in ends])
    made = []
    for jobs in ("1", "3"):
        process = start(room, "--json", "--jobs", jobs, "--confine", "never")
        out, _ = process.communicate(timeout=300)
        made.append([{**row, "seconds": 0} for row in json.loads(out)["grades"]])
    return [] if made[0] == made[1] else [f"{made[0]} and then {made[1]}"]


def try_full_disk(top: Path) -> list[str]:
    """Write the tables where nothing can be written: the grades are shown all the same."""
    room = furnish(top)
    room.hand_in([PAPERS["a right one"]])
    process = start(room, "--csv", "/dev/full", "--confine", "never")
    out, err = process.communicate(timeout=120)
    said = b"could not be written" in err and b"1 of 1 file passed" in out
    if process.returncode == 3 and said and b"Traceback" not in err:
        return []
    return [f"exit status {process.returncode}: {(out + err)[-300:]!r}"]


def try_many(top: Path, count: int) -> list[str]:
    """Grade as many papers as a large class hands in."""
    room = furnish(top)
    room.hand_in([Paper(f"learner {n}/double.py", f"# {n}\n{RIGHT}") for n in range(count)])
    process = start(room, "--json", "--csv", str(room.tables / "grades.csv"))
    out, _ = process.communicate(timeout=60 + 10 * count)
    passed = json.loads(out)["counts"]["passed"]
    return [] if passed == count else [f"{passed} of {count} passed"]


def run(size: float) -> Iterator[Figure]:
    """Try the papers confined and not, and what can befall a grading."""
    step = max(round(1 / size), 1)
    for confine in ("always", "never"):
        some = {
            name: paper
            for name, paper in list(PAPERS.items())[::step]
            if confine == "always" or not paper.only_confined
        }
        with tempfile.TemporaryDirectory(prefix="papers-") as folder:
            faults = try_pile(Path(folder) / "trial", some, confine, 60 + 10 * len(some))
        yield Figure(
            promise=f"every paper gets its grade, confined {confine}",
            tried=len(some),
            held=max(len(some) - len(faults), 0),
            failures=tuple(faults),
        )
    tries: list[tuple[str, Callable[[Path], list[str]]]] = [
        ("interrupted", try_interrupt),
        ("graded twice", try_twice),
        ("a full disk", try_full_disk),
        (f"{round(1000 * size)} papers", lambda top: try_many(top, round(1000 * size))),
    ]
    tries += [(bar, lambda top, bar=bar: try_without_confinement(top, bar)) for bar in BARS]  # type: ignore[misc]
    amiss: list[str] = []
    held = 0
    for name, trial in tries:
        with tempfile.TemporaryDirectory(prefix="papers-") as folder:
            faults = trial(Path(folder) / "trial")
        held += not faults
        amiss += [f"{name}: {fault}" for fault in faults]
    yield Figure(
        promise="grading goes on, or says why not",
        tried=len(tries),
        held=held,
        failures=tuple(amiss),
    )
