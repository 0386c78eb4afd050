"""Tries `grade` on one folder of submissions that do harm or cannot be read.

Each submission gets its own grade, all tables agree, only the tables are written, and no process
is left running.
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
"""Seconds that a process left running sleeps, a unique number by which it is found."""
NAMELESS = frozenset({"unnamed"})
FAILS = frozenset({"failed", "raised", "crashed", "timed_out"})
"""The grades of a program that fails in any way."""


@dataclass(frozen=True)
class Submission:
    """A submission: its path, its content, and the grades that are right for it."""

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
    """Return a correct submission with side effects at import, which must have no effect."""
    return f"import contextlib\nwith contextlib.suppress(Exception):\n    {text}\n{RIGHT}"


SUBMISSIONS: Mapping[str, Submission] = {
    "a right one": Submission("ann_double.py"),
    "a name with an escape": Submission("\x1b[7777m\x1b]0;owned\x07_double.py"),
    "a folder with an escape": Submission(f"{OBEYED.replace('/', '')}/double.py"),
    "a name with newlines": Submission("eve\nmallory,passed\r\n_double.py"),
    "a name that climbs": Submission("x.. ..%2f..%2fx_double.py"),
    "broken bytes, others": Submission(b"\xfe\xff_double.py"),
    "a leading dash": Submission("-rf_double.py"),
    "a leading dash, a folder": Submission("--help/double.py"),
    "broken bytes": Submission(b"\xff\xfe_double.py"),
    "broken bytes, a folder": Submission(b"\xc3\x28\x9b/double.py"),
    "a formula": Submission("=cmd|' !A0'!_double.py"),
    "a formula with plus": Submission("+1+1_double.py"),
    "a formula with at": Submission("@SUM(1+1)_double.py"),
    "a formula after a space": Submission(" =1+1/double.py"),
    "a formula after a tab": Submission("\t=1+1/double.py"),
    "a formula in a folder": Submission('=HYPERLINK("x","y")/double.py'),
    "a name of marks": Submission("<a href='&amp;\">]]>_double.py"),
    "a name of markup": Submission("[bold red][link=x]_double.py"),
    "a name right to left": Submission("\u202egnp.\u2066_double.py"),
    "a very long name": Submission(f"{'n' * 240}_double.py"),
    "deep folders": Submission("deep/" + "d/" * 200 + "double.py"),
    "a name composed": Submission("caf\u00e9_double.py"),
    "a name decomposed": Submission("cafe\u0301_double.py"),
    "a name in capitals": Submission("ANN_double.py"),
    "a name like a lesson": Submission("double/double.py"),
    "named like nothing": Submission("ann/notes.py", grades=NAMELESS),
    "handed in twice": Submission("twin/double.py"),
    "handed in twice, again": Submission("twin/double (1).py"),
    "a link outside": Submission(
        "link_double.py", grades=UNREADABLE, make=lambda p, s: p.symlink_to(s.outside / "secret.py")
    ),
    "a link to a folder": Submission(
        "linked_double.py", grades=UNREADABLE, make=lambda p, s: p.symlink_to(s.outside)
    ),
    "a link to zeros": Submission(
        "zeros_double.py", grades=UNREADABLE, make=lambda p, s: p.symlink_to("/dev/zero")
    ),
    "a link to itself": Submission(
        "self_double.py", grades=UNREADABLE, make=lambda p, s: p.symlink_to(p)
    ),
    "a link to nothing": Submission(
        "gone_double.py", grades=UNREADABLE, make=lambda p, s: p.symlink_to("nothing")
    ),
    "a pipe": Submission("pipe_double.py", grades=UNREADABLE, make=lambda p, s: os.mkfifo(p)),
    "a socket": Submission("socket_double.py", grades=UNREADABLE, make=_socket),
    "0 bytes": Submission("empty_double.py", b"", FAILS),
    "1 GB": Submission("sparse_double.py", grades=UNREADABLE, make=_sparse),
    "unreadable": Submission("secret_double.py", grades=ROOT_READS, make=_closed),
    "no text": Submission("binary_double.py", bytes(range(256)), UNREADABLE),
    "UTF-16": Submission("wide_double.py", RIGHT.encode("utf-16"), UNREADABLE),
    "no Python": Submission("syntax_double.py", "def double(:\n", FAILS),
    "deep Python": Submission("nested_double.py", "x = " + "(" * 90_000, FAILS),
    "raises escapes": Submission("raises_double.py", _raising(NASTY), FAILS),
    "raises what XML cannot hold": Submission(
        "xml_double.py", _raising("\x00\x0b\ufffe\uffff]]><&\ud800"), FAILS
    ),
    "raises a formula": Submission("excel_double.py", _raising("=cmd|'/C calc'!A0\n+1"), FAILS),
    "raises at length": Submission(
        "long_double.py", "def double(x):\n    raise ValueError('x' * 3_000_000)\n", FAILS
    ),
    "prints escapes": Submission("prints_double.py", _doing(f"print({NASTY!r})")),
    "ends its process": Submission("exits_double.py", "import os\nos._exit(0)\n", FAILS),
    "never ends": Submission("hangs_double.py", "while True: pass\n", FAILS),
    "reads others' submissions": Submission(
        "reader_double.py", _doing("print(open('{submissions}/ann_double.py').read())")
    ),
    "reads a secret": Submission(
        "spy_double.py", _doing("print(open('{outside}/secret.txt').read())")
    ),
    "imports another's submission": Submission(
        "copier_double.py", "from ann_double import double\n", FAILS
    ),
    "writes others' submissions": Submission(
        "vandal_double.py",
        _doing("open('{submissions}/ann_double.py', 'w').write('spoilt')"),
        only_confined=True,
    ),
    "writes the grade book": Submission(
        "forger_double.py", _doing("open('{tables}/grades.csv', 'w').write('spoilt')")
    ),
    "writes the solution": Submission(
        "cheat_double.py",
        _doing("open('{course}/01_basics/01_double/solution.py', 'w').write('spoilt')"),
        only_confined=True,
    ),
    "writes at home": Submission(
        "settler_double.py", _doing("open('{home}/settled', 'w').write('x')"), only_confined=True
    ),
    "writes to /tmp": Submission(
        "camper_double.py", _doing("open('{outside}/camp', 'w').write('x')"), only_confined=True
    ),
    "calls the network": Submission(
        "caller_double.py",
        _doing("__import__('socket').create_connection(('127.0.0.1', {port}), 1)"),
        only_confined=True,
    ),
    "leaves a process": Submission(
        "leaver_double.py",
        _doing(
            "__import__('subprocess').Popen(['sleep', '86399.25'], start_new_session=True)"
        ),
    ),
    "kills all it can": Submission(
        "killer_double.py",
        "import os\nos.kill(-1, 9)\n",
        FAILS | {"passed"},
        only_confined=True,
    ),
}  # fmt: skip


# ---------------------------------------------------------------- grading one folder


@dataclass
class GradedFolder:
    """A course, a folder of submissions, a folder for the tables, and a network server."""

    spot: Spot
    calls: list[str] = field(default_factory=list)
    port: int = 0

    @property
    def submissions(self) -> Path:
        """The folder of submissions."""
        return self.spot.top / "submissions"

    @property
    def tables(self) -> Path:
        """The folder for the tables."""
        return self.spot.top / "home" / "tables"

    def hand_in(self, submissions: Sequence[Submission]) -> None:
        """Write the submissions into the folder."""
        for submission in submissions:
            path = self.submissions / submission.path
            path.parent.mkdir(parents=True, exist_ok=True)
            if submission.make is not None:
                submission.make(path, self.spot)
                continue
            text = submission.text
            path.write_bytes(text if isinstance(text, bytes) else self._filled(text))

    def _filled(self, text: str) -> bytes:
        places = {
            "{submissions}": str(self.submissions),
            "{outside}": str(self.spot.outside),
            "{tables}": str(self.tables),
            "{course}": str(self.spot.course),
            "{home}": str(self.spot.top / "home"),
            "{port}": str(self.port),
        }
        for name, place in places.items():
            text = text.replace(name, place)
        return text.encode()


def furnish(top: Path) -> GradedFolder:
    """Create the folders of a trial."""
    graded = GradedFolder(Spot(top))
    info = sample_lessons.INFO + "[needs]\nseconds = 4.0\n"
    sample_lessons.make_lesson(graded.spot.lesson, {"lesson.toml": info})
    for folder in (graded.submissions, graded.tables, graded.spot.outside, top / "cwd"):
        folder.mkdir(parents=True)
    (graded.spot.outside / "secret.txt").write_text(SECRET)
    (graded.spot.outside / "secret.py").write_text(f"# {SECRET}\n")
    server = socket.create_server(("127.0.0.1", 0))
    graded.port = server.getsockname()[1]
    threading.Thread(target=_answer, args=(server, graded.calls), daemon=True).start()
    return graded


def _answer(server: socket.socket, calls: list[str]) -> None:
    while True:
        caller, _ = server.accept()
        calls.append("called")
        caller.close()


def start(
    graded: GradedFolder, *options: str, environ: Mapping[str, str] = {}
) -> subprocess.Popen[bytes]:
    """Start grading."""
    here = os.pathsep.join(path for path in sys.path if path)
    more = {"PYTHONPATH": here, "JAXTUTOR_TRUST_COURSE": "yes", **environ}
    words = ["grade", str(graded.submissions), "--course", str(graded.spot.course), *options]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "jaxtutor", *words],
        cwd=graded.spot.top / "cwd",
        env=environment(graded.spot, more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def try_folder(
    top: Path, submissions: Mapping[str, Submission], confine: str, seconds: float
) -> list[str]:
    """Grade a folder of submissions and return the faults."""
    graded = furnish(top)
    graded.hand_in(list(submissions.values()))
    before = snapshot(top)
    csv_file, xml_file = graded.tables / "grades.csv", graded.tables / "grades.xml"
    process = start(
        graded, "--json", "--confine", confine, "--csv", str(csv_file), "--junit", str(xml_file)
    )
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return [f"it did not end in {seconds:.0f} s"]
    faults = list(changes(before, snapshot(top)))
    grades = json.loads(out)["grades"] if process.returncode in (0, 1) else []
    all_passed = all(row["status"] in ("passed", "unnamed") for row in grades)
    if not grades or process.returncode != (not all_passed) or b"\x1b" in out + err:
        faults.append(f"exit status {process.returncode}: {(out + err)[-300:]!r}")
        return faults
    faults += _compare(submissions, grades, csv_file, xml_file)
    if SECRET.encode() in out + csv_file.read_bytes() + xml_file.read_bytes():
        faults.append("it tells the secret")
    if graded.calls and confine == "always":
        faults.append("it called the network")
    if (top / "home" / "settled").exists():
        faults.append("it wrote at home")
    faults += [f"left running: {it}" for it in left_running(graded)]
    return faults


def _compare(
    submissions: Mapping[str, Submission],
    rows: Sequence[Mapping[str, object]],
    table: Path,
    suites: Path,
) -> Iterator[str]:
    """Yield the differences between three tables, and between them and the right grades."""
    with table.open(newline="", encoding="utf-8") as lines:
        cells = list(csv.DictReader(lines))
    root = ElementTree.parse(suites).getroot()
    if not len(rows) == len(cells) == len(root) == len(submissions):
        counts = f"{len(rows)} in JSON, {len(cells)} in CSV, {len(root)} in XML"
        yield f"{len(submissions)} submissions, {counts}"
    if [row["status"] for row in rows] != [cell["status"] for cell in cells]:
        yield "CSV and JSON differ"
    raw = table.read_text(encoding="utf-8") + suites.read_text(encoding="utf-8")
    if any(sign in raw for sign in "\x1b\x00\x07\x08\x9b\u202e"):
        yield "a table holds what a terminal obeys"
    for cell in cells:
        if any(text.lstrip()[:1] in tuple("=+-@") for text in cell.values()):
            yield f"a formula: {cell}"
    by_file = {str(row["file"]): str(row["status"]) for row in rows}
    if len(by_file) != len(submissions):
        yield "two submissions have one name"
    for name, submission in submissions.items():
        shown = next((file for file in by_file if _matches(submission.path, file)), None)
        if shown is None:
            yield f"{name}: no grade for {submission.path!r}"
        elif by_file[shown] not in submission.grades:
            yield f"{name}: {by_file[shown]}, not {' or '.join(sorted(submission.grades))}"


def _matches(path: str, shown: str) -> bool:
    from jaxtutor.grading.folder import on_one_line

    return on_one_line(path) == shown


def left_running(graded: GradedFolder) -> list[str]:
    """Return the processes of the trial that still run a moment after it."""
    marks = (LEFT_RUNNING, str(graded.spot.top))
    for _ in range(20):
        found = []
        for process in psutil.process_iter():
            try:
                words = " ".join(process.cmdline())
                environ = process.environ()
            except (psutil.Error, OSError):
                continue
            ours = environ.get("HOME") == str(graded.spot.top / "home")
            if any(mark in words for mark in marks) or ours:
                found.append(words)
        if not found:
            return []
        time.sleep(0.1)
    return found


# ---------------------------------------------------------------- circumstances


def try_interrupt(top: Path) -> list[str]:
    """Interrupt grading with Ctrl-C. No process may be left, and the progress must be reported."""
    graded = furnish(top)
    graded.hand_in([Submission(f"learner_{n}_double.py", "while True: pass\n") for n in range(6)])
    before = snapshot(top)
    process = start(graded, "--confine", "never", "--csv", str(graded.tables / "grades.csv"))
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
    return faults + [f"left running: {it}" for it in left_running(graded)]


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
    """Request a sandbox where there is none. Grading must be refused."""
    graded = furnish(top)
    mark = graded.spot.outside / "ran"
    graded.hand_in([Submission("ann_double.py", f"open({str(mark)!r}, 'w')\n{RIGHT}")])
    programs = top / "programs"
    programs.mkdir()
    if BARS[bar]:
        (programs / "bwrap").write_text("" if "\x00" in BARS[bar] else "#!/bin/sh\n")
        with (programs / "bwrap").open("a") as file:
            file.write(BARS[bar])
        (programs / "bwrap").chmod(0o755)
    before = snapshot(top)
    options = ("--confine", "always", "--json")
    process = start(graded, *options, environ={"PATH": f"{programs}:/nowhere"})
    out, err = process.communicate(timeout=120)
    faults = list(changes(before, snapshot(top)))
    if process.returncode != 3 or b"cannot be confined" not in out or b"Traceback" in err:
        faults.append(f"exit status {process.returncode}: {(out + err)[-300:]!r}")
    return faults


def try_twice(top: Path) -> list[str]:
    """Grade the same submissions with other numbers of parallel jobs. The grades must agree."""
    graded = furnish(top)
    ends = ("a right one", "no Python", "raises escapes", "0 bytes", "ends its process")
    graded.hand_in([SUBMISSIONS[name] for name in ends])
    made = []
    for jobs in ("1", "3"):
        process = start(graded, "--json", "--jobs", jobs, "--confine", "never")
        out, _ = process.communicate(timeout=300)
        made.append([{**row, "seconds": 0} for row in json.loads(out)["grades"]])
    return [] if made[0] == made[1] else [f"{made[0]} and then {made[1]}"]


def try_full_disk(top: Path) -> list[str]:
    """Write the tables to a full disk. The grades must still be shown."""
    graded = furnish(top)
    graded.hand_in([SUBMISSIONS["a right one"]])
    process = start(graded, "--csv", "/dev/full", "--confine", "never")
    out, err = process.communicate(timeout=120)
    said = b"could not be written" in err and b"1 of 1 file passed" in out
    if process.returncode == 3 and said and b"Traceback" not in err:
        return []
    return [f"exit status {process.returncode}: {(out + err)[-300:]!r}"]


def try_many(top: Path, count: int) -> list[str]:
    """Grade as many submissions as a large class hands in."""
    graded = furnish(top)
    graded.hand_in([Submission(f"learner {n}/double.py", f"# {n}\n{RIGHT}") for n in range(count)])
    process = start(graded, "--json", "--csv", str(graded.tables / "grades.csv"))
    out, _ = process.communicate(timeout=60 + 10 * count)
    passed = json.loads(out)["counts"]["passed"]
    return [] if passed == count else [f"{passed} of {count} passed"]


def run(size: float) -> Iterator[Figure]:
    """Try the submissions with and without a sandbox, and under each circumstance."""
    step = max(round(1 / size), 1)
    for confine in ("always", "never"):
        some = {
            name: submission
            for name, submission in list(SUBMISSIONS.items())[::step]
            if confine == "always" or not submission.only_confined
        }
        with tempfile.TemporaryDirectory(prefix="submissions-") as folder:
            faults = try_folder(Path(folder) / "trial", some, confine, 60 + 10 * len(some))
        yield Figure(
            promise=f"every submission is graded, with --confine {confine}",
            tried=len(some),
            held=max(len(some) - len(faults), 0),
            failures=tuple(faults),
        )
    tries: list[tuple[str, Callable[[Path], list[str]]]] = [
        ("interrupted", try_interrupt),
        ("graded twice", try_twice),
        ("a full disk", try_full_disk),
        (f"{round(1000 * size)} submissions", lambda top: try_many(top, round(1000 * size))),
    ]
    tries += [(bar, lambda top, bar=bar: try_without_confinement(top, bar)) for bar in BARS]  # type: ignore[misc]
    found: list[str] = []
    held = 0
    for name, trial in tries:
        with tempfile.TemporaryDirectory(prefix="submissions-") as folder:
            faults = trial(Path(folder) / "trial")
        held += not faults
        found += [f"{name}: {fault}" for fault in faults]
    yield Figure(
        promise="grading continues, or reports why not",
        tried=len(tries),
        held=held,
        failures=tuple(found),
    )
