"""Tests the worker that is kept for the next check: taken, declined, ended in time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jaxtutor.core.data.requests import DevicesRequest
from jaxtutor.processes import standby
from jaxtutor.processes.reaping import reap
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.spawn import Kind, Process

PATIENCE = 60.0
KIND = Kind("cpu")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The socket's place in a folder of the test's own."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("JAXTUTOR_NO_KEEP", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(standby, "ANSWER_SECONDS", PATIENCE)  # a busy machine answers late
    found = standby.socket_path(os.environ)
    assert found is not None
    found.parent.mkdir(mode=0o700)
    return found


Wait = Callable[[float], "subprocess.Popen[bytes]"]


@pytest.fixture
def keeper(place: Path) -> Iterator[Wait]:
    """Start a process that waits, and come back when it can be asked."""
    started: list[subprocess.Popen[bytes]] = []

    def start(seconds: float) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", "jaxtutor.processes.standby", str(seconds), "cpu"]
        former = place.stat() if place.exists() else None
        started.append(subprocess.Popen(command))
        until(lambda: place.exists() and not is_same(place.stat(), former))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def is_same(status: os.stat_result, former: os.stat_result | None) -> bool:
    """Return whether a file is the former one; a new one may get the number of its inode."""
    if former is None:
        return False
    return (status.st_ino, status.st_ctime_ns) == (former.st_ino, former.st_ctime_ns)


def until(condition: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came about"
        time.sleep(0.02)


def workers_of(pid: int) -> list[int]:
    """List the processes that a keeper started."""
    return [int(it) for it in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def command_of(pid: int) -> bytes:
    """Return a process's command line; a copy of its parent's until it has become its program."""
    return Path(f"/proc/{pid}/cmdline").read_bytes()


linux_only = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc")


def test_the_worker_that_waits_is_taken(keeper: Wait, place: Path) -> None:
    """It answers as any worker does, and is taken once; the one that kept it goes after it."""
    waiting = keeper(PATIENCE)
    early = standby.acquire(KIND)
    assert early is not None
    assert not place.exists()
    assert standby.acquire(KIND) is None
    outcome = Runner(early).run(DevicesRequest(), KIND)
    assert "finished" == outcome.end
    assert 0 == waiting.wait(PATIENCE)


def test_how_a_worker_ended_is_reported(keeper: Wait, tmp_path: Path) -> None:
    """A signal that ends it is known to the process that did not start it."""
    keeper(PATIENCE)
    early = standby.acquire(KIND)
    assert early is not None
    try:
        os.kill(early.popen.pid, signal.SIGSEGV)
        assert -signal.SIGSEGV == early.popen.wait(PATIENCE) == early.popen.poll()
    finally:
        reap(early)


@linux_only
def test_a_stopped_worker_is_not_handed_over(keeper: Wait, place: Path) -> None:
    """It would use up the time limit of a right submission; the check starts cold."""
    waiting = keeper(PATIENCE)
    until(lambda: any(b"jaxtutor.worker" in command_of(it) for it in workers_of(waiting.pid)))
    (worker,) = workers_of(waiting.pid)
    os.kill(worker, signal.SIGSTOP)
    until(lambda: standby.is_stopped(worker))  # the signal takes a moment to arrive

    assert standby.acquire(KIND) is None
    assert 0 == waiting.wait(PATIENCE)
    until(lambda: not Path(f"/proc/{worker}").exists())


def test_something_else_that_is_asked_for_sends_it_away(
    keeper: Wait, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another kind, another environment, another folder: the check starts cold, the keeper goes."""
    waiting = keeper(PATIENCE)
    monkeypatch.setenv("JAX_ENABLE_X64", "1")
    assert standby.acquire(KIND) is None
    assert 0 == waiting.wait(PATIENCE)
    assert not place.exists()


def test_what_a_shell_changes_by_itself_is_passed_over(
    keeper: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change to COLUMNS or SHLVL does not require a new worker."""
    keeper(PATIENCE)
    monkeypatch.setenv("COLUMNS", "31")
    monkeypatch.setenv("SHLVL", "7")
    early = standby.acquire(KIND)
    assert early is not None
    reap(early)


@linux_only
def test_nobody_asks_and_nothing_is_left(keeper: Wait, place: Path) -> None:
    """After its time it goes, with the worker and the socket."""
    waiting = keeper(1.0)
    until(lambda: bool(workers_of(waiting.pid)) or waiting.poll() is not None)
    workers = workers_of(waiting.pid) if waiting.poll() is None else []
    assert 0 == waiting.wait(PATIENCE)
    assert not place.exists()
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)


@linux_only
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_ended_from_outside_it_takes_the_worker_along(keeper: Wait, number: signal.Signals) -> None:
    """Its pipes close with it, and the worker sees that."""
    waiting = keeper(PATIENCE)
    until(lambda: bool(workers_of(waiting.pid)))
    (worker,) = workers_of(waiting.pid)
    time.sleep(0.2)  # it is asked to end while it waits, not while it starts
    waiting.send_signal(number)
    waiting.wait(PATIENCE)
    until(lambda: not Path(f"/proc/{worker}").exists())


def test_who_finds_the_socket_does_not_wait_for_the_worker(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The socket is there once the worker has been started, however long that takes."""
    seen = []

    def start(kind: Kind) -> Process:
        seen.append(place.exists())
        raise OSError("no process can be started")

    monkeypatch.setattr("jaxtutor.processes.spawn.start", start)
    with pytest.raises(OSError, match="no process"):
        standby.serve(place, KIND, 0.0)
    assert seen == [False]


def test_a_second_one_takes_the_place_of_the_first(keeper: Wait, place: Path) -> None:
    """There is never more than one worker that waits."""
    first = keeper(PATIENCE)
    second = keeper(PATIENCE)
    assert 0 == first.wait(PATIENCE)
    assert place.exists()
    assert second.poll() is None


def test_a_socket_that_nobody_listens_at_is_none(place: Path) -> None:
    """What a killed process left behind stops nobody, nor does a file in its place."""
    import socket

    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(place))
    assert standby.acquire(KIND) is None
    place.unlink()
    place.write_text("not a socket")
    assert standby.acquire(KIND) is None


@pytest.mark.parametrize(
    "environ", [{"CI": "true"}, {"JAXTUTOR_NO_KEEP": "1"}], ids=["in CI", "not wanted"]
)
def test_none_waits_where_none_should(tmp_path: Path, environ: dict[str, str]) -> None:
    """Continuous integration has no next check, and a person may say that they want none."""
    assert standby.socket_path({"XDG_RUNTIME_DIR": str(tmp_path), **environ}) is None


def test_a_folder_that_others_can_enter_is_not_ours(tmp_path: Path) -> None:
    """A user who can put a socket there would receive our submissions, and send us answers."""
    folder = tmp_path / "ours"
    assert not standby._is_ours(folder)
    folder.mkdir(mode=0o700)
    assert standby._is_ours(folder)
    folder.chmod(0o770)
    assert not standby._is_ours(folder)
    folder.chmod(0o700)
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert not standby._is_ours(link)


def test_looking_for_one_leaves_nothing(place: Path) -> None:
    """A check that is not to be followed by another makes no folder."""
    place.parent.rmdir()
    assert standby.acquire(KIND) is None
    assert not place.parent.exists()


def test_a_worker_of_its_own_needs_is_not_kept(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lesson with eight devices is an exception; the next check may be of another."""

    def start(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", start)
    standby.park(Kind("cpu", cpus=8))
    monkeypatch.setenv("JAXTUTOR_NO_KEEP", "1")
    standby.park(KIND)
