"""Tests the limits on a run's tasks and memory, by control group and without one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxtutor.core.data.facts import Outcome
from jaxtutor.core.data.requests import CheckRequest
from jaxtutor.core.data.worker_options import JOINED_VARIABLE, WorkerOptions
from jaxtutor.processes import control_groups, sandbox, scopes, spawn
from jaxtutor.processes.control_groups import Hierarchy, find_hierarchies
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.spawn import Kind
from sampling import sampled
from trials.sample_lessons import make_lesson

SECONDS = 2.0
PATIENCE = 2.0
"""Seconds after the time limit in which a run has to be over."""

FORKS = 400
"""After so many forks the bomb stops by itself, for the machine's sake where a limit is missing."""

BOMB = f"""import os, time

count = os.open("FILE", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
while True:
    try:
        if os.fork() == 0:
            APART
            os.write(count, b"x")
    except OSError:
        pass
    if os.fstat(count).st_size > {FORKS}:
        while True:
            pass
"""

needs_groups = pytest.mark.skipif(
    not any("pids" in it.controllers for it in control_groups.usable_hierarchies()),
    reason="no control group can be created here",
)
needs_bubblewrap = pytest.mark.skipif(
    bool(sandbox.find_problem()), reason=sandbox.find_problem() or "-"
)


@pytest.fixture
def runner() -> Iterator[Runner]:
    made = Runner()
    yield made
    made.close()


@pytest.fixture(params=["in a group", "without one"])
def how(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test in a control group, then with resource limits alone."""
    if request.param == "without one":
        monkeypatch.setattr(control_groups, "usable_hierarchies", lambda: ())
    elif not control_groups.usable_hierarchies():
        pytest.skip("no control group can be created here")
    monkeypatch.setattr(spawn, "LESSON_TASKS", 32)
    return str(request.param)


def run(runner: Runner, tmp_path: Path, source: str, memory: int = 1024) -> Outcome:
    lesson = make_lesson(tmp_path / "lesson").folder
    request = CheckRequest(str(lesson), "double", str(tmp_path / "mine.py"), source)
    return runner.run(request, Kind("cpu", memory=memory), SECONDS)


@pytest.mark.parametrize("apart", ["pass", "os.setsid()"])
def test_a_fork_bomb_is_ended_in_time(runner: Runner, tmp_path: Path, how: str, apart: str) -> None:
    """It is limited to a few tasks, ended within the time limit, and nothing of it is left."""
    counted = tmp_path / "forks"
    source = BOMB.replace("FILE", str(counted)).replace("APART", apart)
    outcome = run(runner, tmp_path, source)
    forks = counted.stat().st_size
    marked = subprocess.run(
        ["pgrep", "-c", "-f", str(tmp_path)], capture_output=True, text=True, check=False
    )

    assert "timed_out" == outcome.end
    assert outcome.seconds < SECONDS + PATIENCE
    assert 0 < forks < FORKS
    assert "0" == marked.stdout.strip()


def test_memory_that_is_mapped_nowhere_counts(runner: Runner, tmp_path: Path, how: str) -> None:
    """Files made by memfd_create are counted, however many there are."""
    source = (
        "import os, time\n"
        "for _ in range(8):\n"
        "    file = os.memfd_create('m')\n"
        "    for _ in range(64):\n"
        "        os.write(file, bytes(1 << 20))\n"
        "time.sleep(60)\n"
    )
    lesson = make_lesson(tmp_path / "lesson").folder
    request = CheckRequest(str(lesson), "double", str(tmp_path / "mine.py"), source)
    outcome = runner.run(request, Kind("cpu", memory=512), 30.0)

    assert "out_of_memory" == outcome.end


def test_a_file_is_no_larger_than_the_memory_limit(runner: Runner, tmp_path: Path) -> None:
    """A file in memory cannot grow beyond the limit in one step either."""
    source = "import os\nos.ftruncate(os.memfd_create('m'), 1 << 31)\n"
    outcome = run(runner, tmp_path, source)

    assert "File too large" in str(outcome.events)


@needs_groups
def test_a_group_lives_as_long_as_its_run(runner: Runner, tmp_path: Path) -> None:
    """The worker is in its group, and afterwards the group is gone."""
    process = spawn.start(Kind("cpu"))
    assert process.group is not None
    folders = list(map(Path, process.group.folders))
    assert all(it.is_dir() for it in folders)
    end = time.monotonic() + 10
    while not process.group.has_members and time.monotonic() < end:
        time.sleep(0.01)
    joined = process.group.has_members
    from jaxtutor.processes.reaping import reap

    reap(process)

    assert joined
    assert not any(it.exists() for it in folders)


@needs_groups
def test_the_empty_group_of_a_killed_tutor_is_removed() -> None:
    """A later run removes it, if it is old; one that was just created may be about to be joined."""
    group = control_groups.create("test-stale", 10, 0)
    assert group is not None
    for folder in group.folders:
        os.utime(folder, (1, 1))
    young = control_groups.create("test-young", 10, 0)
    assert young is not None
    for folder in group.folders:
        control_groups._remove_stale(str(Path(folder).parent))

    left = [Path(it).exists() for it in (*group.folders, *young.folders)]
    young.remove()
    assert [False] * len(group.folders) + [True] * len(young.folders) == left


# ---------------------------------------------------------------- where groups can be


def test_groups_of_version_2_are_made_beside_the_own_one() -> None:
    """Processes have to be in leaves there, so the parent of the own group comes second."""
    mounts = "30 1 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
    member = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/term.scope\n"
    app = "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice"

    assert [
        Hierarchy(f"{app}/term.scope", frozenset(), 2),
        Hierarchy(app, frozenset(), 2),
    ] == list(find_hierarchies(mounts, member))


def delegated_tree(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder that looks like a group of version 2 that systemd has delegated to the user."""
    parent = folder / "user.slice" / "app.slice"
    (parent / "terminal.scope").mkdir(parents=True)
    (parent / "cgroup.subtree_control").write_text("cpu memory pids\n")
    (parent / "cgroup.procs").touch()
    make = os.mkdir

    def make_group(path: str, mode: int = 0o777) -> None:
        make(path, mode)
        for name in ("cgroup.procs", "pids.max", "memory.max", "memory.swap.max"):
            Path(path, name).touch()

    monkeypatch.setattr(os, "mkdir", make_group)
    texts = {
        "/proc/self/mountinfo": f"31 23 0:26 / {folder} rw - cgroup2 cgroup2 rw\n",
        "/proc/self/cgroup": "0::/user.slice/app.slice/terminal.scope\n",
    }
    read = control_groups._read
    monkeypatch.setattr(control_groups, "_read", lambda path: texts.get(path) or read(path))
    monkeypatch.setattr(
        control_groups, "usable_hierarchies", control_groups.usable_hierarchies.__wrapped__
    )
    return parent


def test_a_delegated_group_of_version_2_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user's run has a group beside the terminal's, with limits on tasks, memory and swap."""
    parent = delegated_tree(tmp_path, monkeypatch)
    made = control_groups.create("run", 64, 100)

    assert made is not None
    assert (str(parent / "jaxtutor-run"),) == made.folders
    assert made.limits_memory
    limits = {
        name: (parent / "jaxtutor-run" / name).read_text()
        for name in ("pids.max", "memory.max", "memory.swap.max")
    }
    assert {
        "pids.max": "64",
        "memory.max": str((100 << 20) + control_groups.MARGIN),
        "memory.swap.max": "0",
    } == limits


def test_a_group_that_delegates_no_limit_on_tasks_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the controller `pids`, RLIMIT_NPROC is the better limit."""
    parent = delegated_tree(tmp_path, monkeypatch)
    (parent / "cgroup.subtree_control").write_text("memory\n")

    assert control_groups.create("run", 64, 100) is None


def user_manager(folder: Path) -> dict[str, str]:
    """Make what a user's systemd leaves in the runtime folder and in the tree of groups."""
    (folder / "systemd").mkdir()
    (folder / "systemd" / "private").touch()
    (folder / "cgroup.controllers").write_text("cpu memory pids\n")
    return {"XDG_RUNTIME_DIR": str(folder)}


def test_scopes_need_a_user_a_manager_and_version_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are tried only where all of it exists; root needs none."""
    environ = user_manager(tmp_path)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert scopes.may_be_available(environ, tmp_path)

    assert not scopes.may_be_available({}, tmp_path)
    assert not scopes.may_be_available(environ, tmp_path / "version 1")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert not scopes.may_be_available(environ, tmp_path)


def test_a_scope_joins_its_run_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program in the place of systemd-run gets the limits, and runs the command after `--`."""
    (tmp_path / "systemd-run").write_text(
        '#!/bin/sh\nfor word; do echo "$word" >>"$LOG"; done\n'
        'while [ "$1" != -- ]; do shift; done; shift; exec "$@"\n'
    )
    (tmp_path / "systemd-run").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    monkeypatch.setattr(scopes, "are_available", lambda: True)
    made = scopes.create("run", 64, 100)
    assert made is not None
    joined = f"echo ${JOINED_VARIABLE}"
    ran = subprocess.run([*made.prefix, "sh", "-c", joined], capture_output=True, check=True)

    words = (tmp_path / "log").read_text().split("\n")
    assert b"yes\n" == ran.stdout
    assert {"TasksMax=64", f"MemoryMax={(100 << 20) + control_groups.MARGIN}"} <= {*words}
    assert all(place.endswith("/jaxtutor-run.scope") for place in made.folders)


def test_groups_of_version_1_are_made_below_the_own_ones() -> None:
    """Each controller has a hierarchy; those that limit nothing of ours are passed over."""
    mounts = (
        "31 1 0:28 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
        "32 1 0:29 /docker/ab /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        "33 1 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
    )
    member = "4:pids:/mine\n5:memory:/docker/ab/c\n6:cpuset:/\n0::/\n"

    assert [
        Hierarchy("/sys/fs/cgroup/pids/mine", frozenset({"pids"}), 1),
        Hierarchy("/sys/fs/cgroup/memory/c", frozenset({"memory"}), 1),
    ] == list(find_hierarchies(mounts, member))


def test_a_group_outside_the_mount_is_not_used() -> None:
    """In a container the own group may not be visible."""
    mounts = "30 1 0:27 /other /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"

    assert [] == list(find_hierarchies(mounts, "0::/../mine\n"))


def test_a_folder_without_the_interface_creates_no_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the number of tasks cannot be limited, there is no group, and nothing is left."""
    place = Hierarchy(str(tmp_path), frozenset({"pids", "memory"}), 2)
    monkeypatch.setattr(control_groups, "usable_hierarchies", lambda: (place,))

    assert control_groups.create("run", 10, 10) is None
    assert [] == list(tmp_path.iterdir())


# ---------------------------------------------------------------- root and others


AS_ANOTHER = """
import os, resource, time
from jaxtutor.worker import privileges, process_limits
if UID:
    os.setgroups([]); os.setresgid(UID, UID, UID); os.setresuid(UID, UID, UID)
process_limits.limit_tasks(40)
forks = 0
try:
    while forks < 60:
        if os.fork() == 0:
            time.sleep(5); os._exit(0)
        forks += 1
except OSError:
    pass
print(forks < 60, os.geteuid(), os.access("/", os.R_OK))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user")
@pytest.mark.parametrize("uid", sampled([4711, 0], 2))
def test_tasks_are_limited_for_root_and_for_others(uid: int) -> None:
    """RLIMIT_NPROC does not hold for root, so root's worker takes another real user id."""
    program = AS_ANOTHER.replace("UID", str(uid))
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert f"True {uid} True" == ran.stdout.strip()


def test_options_survive_the_command_line() -> None:
    """What a worker is started with is read back as it was written."""
    options = WorkerOptions(5, 6, 7, 8, 9, 10, False, True, 65534, "cpu:1")

    assert options == WorkerOptions.decode(options.encode())


@needs_bubblewrap
def test_a_confined_fork_bomb_is_ended_in_time(runner: Runner, tmp_path: Path, how: str) -> None:
    """Behind bubblewrap the same limits hold."""
    lesson = make_lesson(tmp_path / "c" / "01_a" / "01_double")
    source = BOMB.replace("count = os.open", "#").replace("APART", "os.setsid()")
    source = source.replace('os.write(count, b"x")', "forks += 1")
    source = source.replace(f"os.fstat(count).st_size > {FORKS}", "forks > 9")
    source = source.replace("while True:\n    try", "forks = 0\nwhile True:\n    try", 1)
    request = CheckRequest(str(lesson.folder), "double", str(tmp_path / "mine.py"), source)
    kind = Kind("cpu", memory=1024, wrap=sandbox.wrap(lesson))
    outcome = runner.run(request, kind, SECONDS)

    assert "timed_out" == outcome.end
    assert outcome.seconds < SECONDS + PATIENCE


SEGMENT = """import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(libc.shmget(0, ctypes.c_size_t(1 << 20), 0o600 | 0o1000), flush=True)


def double(x):
    return 2 * x
"""


@pytest.mark.skipif(not Path("/proc/sysvipc/shm").exists(), reason="no System V shared memory")
def test_a_segment_of_shared_memory_is_not_left_behind(runner: Runner, tmp_path: Path) -> None:
    """System V segments outlive their processes, so they are removed with the run."""
    outcome = run(runner, tmp_path, SEGMENT)
    runner.close()
    ((_, printed),) = [it for it in outcome.printed if it[1].strip()]
    listed = [line.split()[1] for line in Path("/proc/sysvipc/shm").read_text().splitlines()]

    assert int(printed) >= 0
    assert printed.strip() not in listed
