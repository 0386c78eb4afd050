"""Tests grading on a local cluster of two workers.

The tests are slow, and are skipped if Dask is not installed: pip install '.[dask]' installs it.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from jaxtutor.content.course import Course
from jaxtutor.content.loading import load_course
from jaxtutor.core.grading.grades import SubmittedFile
from jaxtutor.errors import TutorError
from trials.sample_lessons import make_lesson

distributed = pytest.importorskip("distributed", reason="Dask is not installed")

from jaxtutor.grading.cluster import Cluster  # noqa: E402 - it is only of use with Dask

pytestmark = [
    pytest.mark.slow,
    # Dask leaves resources open when its processes are killed.
    pytest.mark.filterwarnings("ignore"),
]

MINE = "import time\ntime.sleep(0.5)\n\n\ndef double(x):\n    return x + x\n"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    folder = tmp_path_factory.mktemp("course")
    make_lesson(folder / "01_basics" / "01_double")
    return load_course(folder)


@pytest.fixture
def workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parent.parent)]))
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster


def submissions(count: int, source: str = MINE) -> list[SubmittedFile]:
    return [
        SubmittedFile(f"learner{n}", "double", f"{n}.py", f"{source}# {n}\n") for n in range(count)
    ]


def test_a_cluster_grades(workers: Any, course: Course) -> None:
    """Every submission is graded by machines that have no copy of the course."""
    with closing(Cluster(workers.scheduler_address)) as cluster:
        machines = cluster.machines()
        grades = list(cluster.grade(submissions(6), course, "cpu", 0, False))

    assert (2, 6) == (len(machines), len({grade.learner for grade in grades}))
    assert {"passed"} == {grade.status for grade in grades}


def test_a_lost_worker_loses_no_submission(workers: Any, course: Course) -> None:
    """After one of two machines is killed, every submission still has one grade."""
    with closing(Cluster(workers.scheduler_address)) as cluster:
        machines = cluster.machines()
        before = cluster.lost(machines)
        victims = cluster.client.run(os.getpid)
        threading.Timer(2.0, os.kill, (next(iter(victims.values())), signal.SIGKILL)).start()
        grades = list(cluster.grade(submissions(10), course, "cpu", 0, False))
        left = cluster.client.run(os.getpid)
        lost = cluster.lost(machines)

    assert ((), (next(iter(victims)),)) == (before, lost)
    assert [f"learner{n}" for n in range(10)] == sorted(grade.learner for grade in grades)
    assert {"passed"} == {grade.status for grade in grades}
    assert set(victims.values()) != set(left.values())


def test_what_kills_every_machine_is_reported(workers: Any, course: Course) -> None:
    """An unconfined submission that kills its machines gets an error; others are graded."""
    deadly = "import os\nos.kill(os.getppid(), 9)\nimport time\ntime.sleep(60)\n"
    with closing(Cluster(workers.scheduler_address)) as cluster:
        mixed = [*submissions(1, deadly), *submissions(4)[1:]]
        grades = {it.learner: it for it in cluster.grade(mixed, course, "cpu", 0, False)}

    assert ["not_graded", "passed", "passed", "passed"] == [
        grades[f"learner{n}"].status for n in range(4)
    ]


def test_the_commands_of_the_page_start_a_cluster(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commands in docs/teaching.md start a cluster that grades."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path))
    page = (Path(__file__).parent.parent / "docs" / "teaching.md").read_text(encoding="utf-8")
    scheduler, worker = re.findall(r"^\$ (dask .*)$", page, re.MULTILINE)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    address = f"tcp://127.0.0.1:{port}"
    with ExitStack() as stack:
        stack.enter_context(program(scheduler.replace("8786", port) + " --no-dashboard"))
        stack.enter_context(program(worker.replace("tcp://SCHEDULER:8786", address)))
        cluster = stack.enter_context(closing(Cluster(address)))
        cluster.client.wait_for_workers(1, timeout=120)
        (grade,) = cluster.grade(submissions(1), course, "cpu", 0, False)

    assert "passed" == grade.status


@contextmanager
def program(command: str) -> Iterator[None]:
    """Run a program of Dask, found next to this Python, until the test ends."""
    words = shlex.split(command)
    words[0] = str(Path(sys.executable).parent / words[0])
    root = str(Path(__file__).parent.parent)
    started = subprocess.Popen(words, env={**os.environ, "PYTHONPATH": root})
    try:
        yield
    finally:
        started.terminate()
        started.wait(60)


def test_a_scheduler_that_is_not_there_is_reported(course: Course) -> None:
    """An unreachable scheduler is reported with its address."""
    started = time.monotonic()
    with pytest.raises(TutorError, match=r"tcp://127\.0\.0\.1:9"):
        Cluster("tcp://127.0.0.1:9")
    assert time.monotonic() - started < 60
