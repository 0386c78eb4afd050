"""Tests confinement: a real confined submission tries what it must not be able to do.

Where submissions cannot be confined, those tests are skipped; how bubblewrap is called is tested
everywhere.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxtutor.checks.lesson_check import Checker
from jaxtutor.content.cause_pages import Library
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.processes import sandbox
from jaxtutor.processes.runner import Runner
from jaxtutor.worker import syscall_filter
from trials.sample_lessons import INFO, make_lesson

PROBLEM = sandbox.find_problem()
NOT_ROOT = "needs root, to see what a worker of root's may do"
needs_bubblewrap = pytest.mark.skipif(bool(PROBLEM), reason=PROBLEM)

TRYING = """import os
import socket


def reads(place):
    try:
        open(place).close()
    except OSError:
        return False
    return True


def writes(folder):
    try:
        open(os.path.join(folder, "mark"), "w").close()
    except OSError:
        return False
    return True


def connects(port):
    try:
        socket.create_connection(("127.0.0.1", port), 2).close()
    except OSError:
        return False
    return True


{body}


def double(x):
    return 2 * x
"""


# ---------------------------------------------------------------- anywhere


@pytest.fixture(autouse=True)
def _probe_again(request: pytest.FixtureRequest) -> Iterator[None]:
    """What one test finds out about bubblewrap does not hold for the next."""
    if "monkeypatch" in request.fixturenames:
        sandbox.probe.cache_clear()
        yield
        sandbox.probe.cache_clear()
    else:
        yield


def after(command: tuple[str, ...], option: str) -> list[str]:
    """List what follows each use of an option."""
    return [command[index + 1] for index, word in enumerate(command) if word == option]


def test_all_that_can_be_taken_away_is(tmp_path: Path) -> None:
    """Namespaces, capabilities and the terminal are taken away, and all mounts are read-only."""
    command = sandbox.wrap(make_lesson(tmp_path / "c" / "01_a" / "01_double"))

    assert {*sandbox.NAMESPACES, "--new-session", "--cap-drop"} < set(command)
    assert {"/dev", "/"} < set(after(command, "--remount-ro"))
    assert [] == after(command, "--bind")


def test_of_the_course_the_checks_are_there(tmp_path: Path) -> None:
    """Of all files in the course only the lesson's checks are bound."""
    lesson = make_lesson(tmp_path / "c" / "01_a" / "01_double")
    bound = after(sandbox.wrap(lesson), "--ro-bind")

    assert [str(lesson.folder / "checks.py")] == [
        it for it in bound if it.startswith(str(tmp_path))
    ]


def test_the_whole_course_of_a_step_is_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project is one folder further down, and the solutions of the lessons are hidden as well."""
    library = tmp_path / "library"
    make_lesson(library / "course" / "projects" / "01_a" / "01_double")
    step = Lesson(library / "course" / "projects" / "01_a" / "01_double", "P1.1", "double")
    monkeypatch.setattr(sandbox, "SYSTEM", (*sandbox.SYSTEM, str(library)))

    assert str(library / "course") in after(sandbox.wrap(step), "--tmpfs")


def test_the_folder_of_the_call_is_not_lent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`python -m` puts it on the path, and other learners' files may lie in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    lesson = make_lesson(tmp_path / "c" / "01_a" / "01_double")

    assert str(tmp_path) not in after(sandbox.wrap(lesson), "--ro-bind")


def test_a_missing_program_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is missing is named."""
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(sys, "platform", "linux")
    found = sandbox.probe()

    assert "bubblewrap (the program bwrap) is not installed" == found.problem
    assert found.remedy.startswith("Install it: ")


def test_a_checkout_on_the_path_shows_its_packages_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of an editable install neither the history nor the lessons around the package are bound."""
    for name in ("mine/__init__.py", ".git/config", "lessons/solution.py"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    lesson = make_lesson(tmp_path / "c" / "01_a" / "01_double")
    bound = after(sandbox.wrap(lesson), "--ro-bind")

    assert str(tmp_path / "mine") in bound
    assert not {str(tmp_path), str(tmp_path / ".git"), str(tmp_path / "lessons")} & set(bound)


def test_a_home_or_the_submissions_on_the_path_are_withheld(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of PYTHONPATH that holds a home directory or the submissions is named, not bound."""
    home, submissions, tools = (tmp_path / name for name in ("home/ann", "work/pile", "tools"))
    for folder in (home, submissions, tools):
        folder.mkdir(parents=True)
    named = [str(home.parent), str(submissions.parent), str(tools)]
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(named))
    monkeypatch.setattr(sys, "path", [*named, *sys.path])
    lesson = make_lesson(tmp_path / "c" / "01_a" / "01_double")
    bound = after(sandbox.wrap(lesson, (submissions,)), "--ro-bind")

    assert tuple(named[:2]) == sandbox.withheld((submissions,))
    assert [named[2]] == [place for place in bound if place in named]


def test_another_system_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no bubblewrap but for Linux."""
    monkeypatch.setattr(sys, "platform", "darwin")

    assert sandbox.find_problem() == "bubblewrap, which confines, is for Linux"


def test_a_program_that_is_not_allowed_to_work_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried, and its own last words are passed on."""
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho No permissions to create new namespace >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(sys, "platform", "linux")

    assert sandbox.find_problem().endswith("No permissions to create new namespace")


# ---------------------------------------------------------------- where it works


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Lesson:
    """A lesson in a course of its own."""
    return make_lesson(tmp_path_factory.mktemp("course") / "01_a" / "01_double")


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checker]:
    """A checker that confines."""
    runner = Runner()
    references = tmp_path_factory.mktemp("references")
    yield Checker(runner, Library(), references, "cpu", sandbox.wrap)
    runner.close()


def check(checker: Checker, lesson: Lesson, source: str) -> Verdict:
    verdict = checker.check(lesson, source, Path("/submission/01_double.py"))
    assert verdict is not None
    return verdict


def tell(checker: Checker, lesson: Lesson, body: str) -> str:
    """Run a program that tries things while it is imported; give what it printed."""
    verdict = check(checker, lesson, TRYING.replace("{body}", body))
    assert "passed" == verdict.status, verdict.headline
    return verdict.stdout.strip()


@needs_bubblewrap
def test_a_confined_submission_can_do_none_of_it(
    checker: Checker, lesson: Lesson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It passes as ever; it reads no one's file, writes nowhere, sees no secret and no process."""
    import socket

    mine = tmp_path / "mine"
    mine.write_text("x")
    monkeypatch.setenv("SECRET_TOKEN", "s3cret")
    with socket.create_server(("127.0.0.1", 0)) as server:
        tried = [
            f"reads({str(mine)!r})",
            f"os.path.exists({str(lesson.folder / 'solution.py')!r})",
            "reads('/etc/passwd')",
            *(f"writes({place!r})" for place in ("/", "/tmp", "/dev/shm", "/usr", sys.prefix)),
            f"connects({server.getsockname()[1]})",
            "'SECRET_TOKEN' in os.environ",
            f"os.path.exists('/proc/{os.getpid()}/environ') and {os.getpid()} > 9",
            f"{str(lesson.folder)!r} in open('/proc/1/cmdline').read()",
        ]
        printed = tell(checker, lesson, f"print([{', '.join(tried)}])")

    assert str([False] * len(tried)) == printed


WRITING = """import os, tempfile
place = tempfile.mkdtemp()
try:
    with open(os.path.join(place, "large"), "wb") as file:
        for _ in range(4):
            file.write(bytes(1 << 20))
            file.flush()
    print("wrote all")
except OSError as error:
    print(os.strerror(error.errno))
print(writes("/"), writes("/dev/shm"))"""


@needs_bubblewrap
def test_a_lesson_that_writes_gets_as_much_disk_as_it_needs(
    checker: Checker, tmp_path: Path
) -> None:
    """A confined submission writes temporary files up to the size that its lesson states."""
    for disk, printed in ((2, "No space left on device"), (16, "wrote all")):
        info = {"lesson.toml": f"{INFO}needs.disk = {disk}\n"}
        lesson = make_lesson(tmp_path / f"c{disk}" / "01_a" / "01_double", info)

        assert f"{printed}\nFalse False" == tell(checker, lesson, WRITING)


SYSCTLS = """
found = []
for folder, _, names in os.walk("/proc/sys"):
    for name in names:
        try:
            os.close(os.open(folder + "/" + name, os.O_WRONLY))
            found.append(name)
        except OSError:
            pass
print(os.getuid() == 0, found, os.path.exists("/proc/sys/kernel"))
"""


@needs_bubblewrap
def test_a_confined_submission_is_not_root_and_writes_no_kernel_setting(
    checker: Checker, lesson: Lesson
) -> None:
    """Root's worker becomes another user, and of /proc the kernel's own part is covered."""
    assert "False [] False" == tell(checker, lesson, SYSCTLS)


@needs_bubblewrap
@pytest.mark.skipif(os.geteuid() != 0, reason=NOT_ROOT)
def test_a_confined_submission_of_roots_is_not_root_outside_either(
    checker: Checker, lesson: Lesson
) -> None:
    """Seen from outside, the process belongs to a user that nobody is assigned."""
    seen: set[int] = set()

    def look() -> None:
        end = time.monotonic() + 60
        while not seen and time.monotonic() < end:
            for entry in Path("/proc").glob("[0-9]*"):
                with contextlib.suppress(OSError):
                    if entry.stat().st_uid >= 2_000_000_000:
                        seen.add(entry.stat().st_uid)
            time.sleep(0.05)

    watcher = threading.Thread(target=look)
    watcher.start()
    check(checker, lesson, "import time\ntime.sleep(1)\n")
    watcher.join()

    assert seen


CALLS = """
import ctypes
import socket

libc = ctypes.CDLL(None, use_errno=True)
calls = {calls!r}
kept = []
for name, number in calls.items():
    ctypes.set_errno(0)
    libc.syscall(number, 0x10000000, 0, 0, 0, 0)
    if ctypes.get_errno() != 1:
        kept.append(name)
for family in (16, 38, 40):
    try:
        socket.socket(family, socket.SOCK_RAW).close()
        kept.append(family)
    except PermissionError:
        pass
print(kept)
"""


@needs_bubblewrap
@pytest.mark.skipif(os.uname().machine not in syscall_filter._MACHINES, reason="no filter here")
def test_a_confined_submission_cannot_make_the_calls_that_reach_further(
    checker: Checker, lesson: Lesson
) -> None:
    """Namespaces, keyrings, tracing, mounts, io_uring and other kinds of sockets are refused."""
    calls = syscall_filter._MACHINES[os.uname().machine][1]

    assert "[]" == tell(checker, lesson, CALLS.replace("{calls!r}", repr(calls)))


def test_the_session_keyring_is_left_behind() -> None:
    """A key of the teacher's session is not found after the worker has joined another keyring."""
    program = """
import ctypes, os
from jaxtutor.worker import privileges
libc = ctypes.CDLL(None, use_errno=True)
number = privileges._KEYCTL[os.uname().machine]
add, session = {250: 248, 219: 217}[number], -3
key = libc.syscall(add, b"user", b"jaxtutor-test", b"secret", 6, session)
found = lambda: libc.syscall(number, 10, session, b"user", b"jaxtutor-test", 0) >= 0
before = found()
privileges.join_empty_keyring()
print(key >= 0, before, found())
libc.syscall(number, 3, key)
"""
    run = subprocess.run(
        ["setsid", sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    if not run.stdout.startswith("True True"):
        pytest.skip("this system keeps no keys")
    assert "True True False" == run.stdout.strip()


@needs_bubblewrap
def test_a_signal_is_reported_through_the_wrapping(checker: Checker, lesson: Lesson) -> None:
    """A submission that a signal ended is reported so, although another process reports it."""
    verdict = check(checker, lesson, "import os\nos.kill(os.getpid(), 11)\n")
    assert ("crashed", True) == (verdict.status, "SIGSEGV" in verdict.headline)


@needs_bubblewrap
def test_nothing_is_left_of_what_forks(checker: Checker, lesson: Lesson) -> None:
    """What a submission started and cut loose ends with it."""
    body = (
        "import subprocess\n"
        "for _ in range(50):\n"
        "    subprocess.Popen(['sleep', '4711'], start_new_session=True)\n"
        "while True:\n    pass\n"
    )
    hasty = make_lesson(
        lesson.folder.parent / "02_hasty",
        {"lesson.toml": (lesson.read("lesson.toml") + "[needs]\nseconds = 1.0\n")},
    )
    verdict = check(checker, hasty, body)

    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert ("timed_out", False) == (verdict.status, "sleep 4711" in listed.stdout)


@needs_bubblewrap
def test_a_confined_worker_dies_with_the_tutor(lesson: Lesson, tmp_path: Path) -> None:
    """When the tutor is killed, what it had running ends too."""
    program = f"""
from pathlib import Path
from trials.sample_lessons import make_checker
from jaxtutor.processes import sandbox
from jaxtutor.content.lesson import Lesson
from dataclasses import replace
lesson = Lesson(Path({str(lesson.folder)!r}), "1.1", "double")
source = "import os, sys, subprocess\\nsubprocess.Popen(['sleep', '4712'])\\nwhile True: pass"
checker = replace(make_checker(Path({str(tmp_path)!r})), wrap=sandbox.wrap)
checker.check(lesson, source, Path("/x.py"))
"""
    tutor = subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert wait_until(lambda: is_running("sleep 4712"))
    tutor.send_signal(signal.SIGKILL)
    tutor.wait()

    assert wait_until(lambda: not is_running("sleep 4712"))


def is_running(command: str) -> bool:
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return any(line.strip() == command for line in listed.stdout.splitlines())


def wait_until(holds: object, seconds: float = 60.0) -> bool:
    assert callable(holds)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return False


# ---------------------------------------------------------------- `check --confine`


def run_check(
    course: Path, file: Path, home: Path, **environ: str
) -> subprocess.CompletedProcess[str]:
    """Run `check --confine` in a process of its own."""
    command = [sys.executable, "-m", "jaxtutor", "check", str(file), "--lesson", "double"]
    command += ["--course", str(course), "--confine", "--plain"]
    environ = {
        **os.environ,
        "JAXTUTOR_HOME": str(home),
        "PYTHONPATH": os.pathsep.join(sys.path),
    } | environ
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    """A right submission that tries to write beside itself, in a course with its lesson."""
    make_lesson(tmp_path / "course" / "01_basics" / "01_double")
    file = tmp_path / "double.py"
    writing = f"writes({str(tmp_path)!r})"
    file.write_text(TRYING.replace("{body}", f"print('wrote:', {writing})"))
    return file


@needs_bubblewrap
def test_one_file_can_be_checked_confined(submission: Path, tmp_path: Path) -> None:
    """`check --confine` gives the same verdict, and the submission cannot write."""
    ran = run_check(tmp_path / "course", submission, tmp_path / "home")

    assert (0, "") == (ran.returncode, ran.stderr)
    assert "wrote: False" in ran.stdout
    assert not (tmp_path / "mark").exists()


def test_nothing_runs_where_one_file_cannot_be_confined(submission: Path, tmp_path: Path) -> None:
    """Without bubblewrap `check --confine` runs nothing, and says how to install it."""
    ran = run_check(tmp_path / "course", submission, tmp_path / "home", PATH=str(tmp_path))

    assert 3 == ran.returncode
    assert "cannot be confined" in ran.stderr
    assert not (tmp_path / "mark").exists()
