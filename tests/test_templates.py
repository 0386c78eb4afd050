"""Tests workers that are forked from a template: they are workers like any other."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from jaxtutor.core.data.facts import BrokenLibrary, Outcome
from jaxtutor.core.data.requests import CheckRequest, DevicesRequest
from jaxtutor.core.judging.outcomes import pick
from jaxtutor.processes import spawn, templates
from jaxtutor.processes.reaping import reap
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.spawn import Kind
from jaxtutor.processes.tags import find_by_limit_tag
from jaxtutor.processes.templates import Templates
from test_runner import ENDLESS, HUNGRY, LIVES_ON, answers, doubling, eventually, hidden_sleepers
from trials.sample_lessons import SOLUTION, make_lesson

CPU = Kind("cpu", memory=1024)

pytestmark = pytest.mark.skipif(
    not templates._is_possible(CPU), reason="workers cannot be forked from a template here"
)


class Forks:
    """A lesson, and a runner that forks; afterwards no process has the tag of a run."""

    def __init__(self, folder: Path) -> None:
        self.lesson = make_lesson(folder / "lesson").folder
        self.templates = Templates()
        self.runner = Runner(templates=self.templates)
        self.runs: list[int] = []

    def run(self, source: str, seconds: float = 30.0, kind: Kind = CPU) -> Outcome:
        file = str(self.lesson.parent / "mine.py")
        request = CheckRequest(str(self.lesson), "double", file, source)
        return self.runner.run(request, kind, seconds)


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """One template for all tests."""
    made = Forks(tmp_path_factory.mktemp("forks"))
    fork = made.templates.fork

    def noting(kind: Kind) -> spawn.Process | None:
        process = fork(kind)
        made.runs += [process.tag] if process else []
        return process

    made.templates.fork = noting  # type: ignore[method-assign]
    yield made
    made.runner.close()


@pytest.fixture(autouse=True)
def nothing_is_left(forks: Forks) -> Iterator[None]:
    """Each test forks; afterwards nothing of its runs is alive."""
    forks.runs.clear()
    yield
    assert forks.runs, "nothing was forked"
    assert eventually(lambda: not any(map(find_by_limit_tag, forks.runs)))


def printed(outcome: Outcome) -> str:
    return dict(outcome.printed).get("import", "")


def test_a_right_submission_runs_to_its_end(forks: Forks) -> None:
    """Every call has its answer."""
    outcome = forks.run(SOLUTION)

    assert ("finished", "") == (outcome.end, outcome.end_detail)
    assert 3 == answers(outcome)


@pytest.mark.parametrize("what", LIVES_ON)
def test_what_a_submission_leaves_running_is_ended(forks: Forks, what: str) -> None:
    """As for a worker that was started by itself."""
    outcome = forks.run(doubling(LIVES_ON[what]))

    assert ("finished", 3) == (outcome.end, answers(outcome))
    assert eventually(lambda: not hidden_sleepers())


@pytest.mark.parametrize("what", ["signals that are ignored", "prints"])
def test_what_does_not_end_is_ended(forks: Forks, what: str) -> None:
    """Past its time a submission is killed."""
    before, stage = ENDLESS[what]
    outcome = forks.run(doubling(before), 1.5)

    assert ("timed_out", stage) == (outcome.end, outcome.end_detail)


def test_memory_has_an_end(forks: Forks) -> None:
    """That of the children counts, too."""
    assert "out_of_memory" == forks.run(doubling(HUNGRY["children"])).end


def test_an_exit_status_is_known(forks: Forks) -> None:
    """The template reports how a worker ended."""
    killed = forks.run(doubling("import signal; os.kill(os.getpid(), signal.SIGKILL)"))
    left = forks.run(doubling("os._exit(7)"))

    assert ("crashed", "crashed") == (killed.end, left.end)
    assert "SIGKILL" in killed.end_detail
    assert "7" in left.end_detail


def test_prints_arrive_at_once(forks: Forks) -> None:
    """Standard output and error are those of the worker, and nothing is buffered."""
    outcome = forks.run(doubling("sys.stdout.write('a'); os.write(2, b'b'); os.write(1, b'c')"))

    assert ("ac", "b") == (printed(outcome).strip(), outcome.stderr.strip())


def test_workers_know_nothing_of_each_other(forks: Forks) -> None:
    """Neither settings nor files, and they draw different numbers."""
    draw = "import numpy, random; print(numpy.random.random(), random.random())"
    first = forks.run(doubling(f"{draw}; os.environ['X'] = '1'; import jax; jax.config.jax_x = 1"))
    second = forks.run(doubling(f"{draw}; assert 'X' not in os.environ"))

    ours, others = printed(first).split(), printed(second).split()
    assert 2 == len(ours) == len(others)
    assert not set(ours) & set(others)


def test_two_at_once_are_forked(forks: Forks) -> None:
    """Jobs share a template."""
    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(forks.run, [SOLUTION] * 4))

    assert [("finished", 3)] * 4 == [(it.end, answers(it)) for it in outcomes]
    assert 4 == len(forks.runs)


def test_limits_are_those_of_the_fork(forks: Forks) -> None:
    """Memory, files and processor time are limited, and the tasks in a group or by the kernel."""
    names = ("DATA", "FSIZE", "CPU", "CORE")
    source = doubling(
        f"import resource\nprint([resource.getrlimit(getattr(resource, 'RLIMIT_' + it))[0] "
        f"for it in {names!r}], os.getsid(0) == os.getpid())"
    )
    by_fork, alone = (
        forks.run(source),
        Runner().run(
            CheckRequest(str(forks.lesson), "double", str(forks.lesson.parent / "mine.py"), source),
            CPU,
        ),
    )
    assert printed(by_fork) == printed(alone)
    assert "True" in printed(by_fork)


def test_a_worker_joins_its_group(forks: Forks) -> None:
    """Before it runs anything."""
    process = forks.templates.fork(CPU)
    assert process is not None
    group = process.group
    try:
        if group is None:
            pytest.skip("no control group can be created here")
        assert eventually(lambda: group.has_members)
    finally:
        reap(process)


def test_devices_are_those_of_the_kind(forks: Forks) -> None:
    """A template starts no backend, so each kind has its own number of devices."""
    outcome = forks.runner.run(DevicesRequest(), Kind("cpu", cpus=3))
    assert outcome.machine is not None
    assert 3 == len(outcome.machine.devices)


def test_a_library_that_cannot_be_imported_is_reported(forks: Forks) -> None:
    """By the worker, since a template reports nothing."""
    kind = Kind("cpu", imports=("import no_such_library",))
    (broken,) = pick(forks.runner.run(DevicesRequest(), kind), BrokenLibrary)
    assert "ModuleNotFoundError" == broken.error_class


def test_a_template_that_died_is_replaced(forks: Forks) -> None:
    """The worker that cannot be forked is started by itself, and the next one is forked."""
    forks.run(SOLUTION)
    for template in forks.templates._kept.values():
        os.kill(template._popen.pid, signal.SIGKILL)
        template._popen.wait()
    assert "finished" == forks.run(SOLUTION).end
    forks.runs.clear()
    assert "finished" == forks.run(SOLUTION).end


def test_few_templates_are_kept(forks: Forks, monkeypatch: pytest.MonkeyPatch) -> None:
    """An older one ends when its workers have ended; all end with the runner."""
    monkeypatch.setattr(templates, "MOST", 1)
    runner = Runner(templates=Templates())
    first = forks.templates.fork(CPU)  # not one of the runner's
    assert first is not None
    reap(first)
    for cpus in (1, 2):
        assert "finished" == runner.run(DevicesRequest(), Kind("cpu", cpus=cpus)).end
    kept = runner._templates._kept  # type: ignore[union-attr]
    assert [2] == [kind.cpus for kind in kept]
    pids = [it._popen.pid for it in (*kept.values(), *runner._templates._closed)]  # type: ignore[union-attr]
    runner.close()
    assert 2 == len(pids)
    assert not any(map(psutil.pid_exists, pids))
