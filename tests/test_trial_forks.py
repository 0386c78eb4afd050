"""Tests runs of edited programs that are forked: they are like runs of processes of their own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import psutil
import pytest

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.facts import Outcome, ScriptFacts
from jaxtutor.core.data.requests import ScriptRequest
from jaxtutor.core.judging.outcomes import observations, pick
from jaxtutor.processes import templates
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.spawn import Kind, Process, for_trial
from jaxtutor.processes.templates import Templates
from jaxtutor.scripts import fix_trials, programs
from jaxtutor.scripts import prepared_trials as module
from jaxtutor.scripts.fix_trials import fix_script
from jaxtutor.scripts.prepared_trials import prepared_trials
from jaxtutor.scripts.script_check import diagnose_program, diagnose_script
from sampling import sampled
from test_runner import eventually
from test_scripts import HEAD, LEAKING, RAISING

FORKED = for_trial("cpu", is_forked=True)
SECONDS = 60.0

PROGRAMS = {
    "that prints": "import sys\nprint(jnp.arange(3)); print(__name__, __file__, sys.argv)\n",
    "that raises": RAISING,
    "that leaves": "raise SystemExit(5)\n",
    "that is killed": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
    "with an exit hook": "import atexit\natexit.register(print, 'done')\nopen(__file__).close()\n",
    "with a thread": "import threading\nthreading.Timer(0.2, print, ['late']).start()\n",
    "with processes": "import subprocess\nprint(subprocess.check_output(['echo', 'child']))\n",
    "with options": "jax.config.update('jax_num_cpu_devices', 3)\nprint(jax.device_count())\n",
    "with another precision": "jax.config.update('jax_enable_x64', True)\nx = jnp.ones(1)\n",
    "with a dropped result": "x = jnp.zeros(3)\nx.at[0].set(1.0)\nprint(x)\n",
}

SILENT = "key = jax.random.key(0)\nfor _ in range(3):\n    print(jax.random.normal(key))\n"

pytestmark = pytest.mark.skipif(
    not templates._is_possible(FORKED), reason="workers cannot be forked from a template here"
)


class Forks(Templates):
    """Templates that count what was forked, and a runner that uses them."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.runner = Runner(templates=self)

    def fork(self, kind: Kind) -> Process | None:
        process = super().fork(kind)
        self.count += process is not None
        return process


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    """One template for all tests."""
    made = Forks()
    made.prepare(FORKED, SECONDS)
    with closing(made.runner):
        yield made


def reported(outcome: Outcome) -> tuple[object, ...]:
    """Return what a run reported, without the numbers of processes and times."""
    (facts,) = pick(outcome, ScriptFacts) or (None,)
    observed = [event for event in outcome.events if type(event).__name__ == "ObservationFacts"]
    return outcome.end, outcome.exit_status, outcome.printed, outcome.stderr, facts, observed


@pytest.mark.parametrize("kind", sampled(PROGRAMS, 3))
def test_a_forked_run_reports_what_its_own_process_would(
    forks: Forks, tmp_path: Path, kind: str
) -> None:
    """Its output, its end, its variables, and what was observed."""
    file = tmp_path / "mine.py"
    file.write_text(HEAD + dedent(PROGRAMS[kind]))
    request = programs.script(file, ("--n", "3")).request()
    before = forks.count
    forked = forks.runner.run(request, FORKED, SECONDS)
    alone = Runner().run(request, for_trial("cpu", is_forked=False), SECONDS)

    assert before + 1 == forks.count
    assert reported(alone) == reported(forked)


def test_a_leak_is_found_in_a_fork(forks: Forks, tmp_path: Path) -> None:
    """The list that holds a tracer is a variable of a namespace that is older than the fork."""
    file = tmp_path / "mine.py"
    file.write_text(HEAD + dedent(LEAKING))
    outcome = forks.runner.run(programs.script(file, ()).request(), FORKED, SECONDS)

    assert ["LeakedTracer"] == [type(it).__name__ for it in observations(outcome)]


def test_a_run_for_its_results_alone_is_not_watched(forks: Forks, tmp_path: Path) -> None:
    """It reports the variables and what failed, and observes nothing."""
    file = tmp_path / "mine.py"
    file.write_text(HEAD + "x = jnp.zeros(3)\nfor _ in range(2):\n    print(jax.random.key(0))\n")
    program = programs.script(file, ())
    watched, alone = (
        forks.runner.run(program.request(watched=it), FORKED, SECONDS) for it in (True, False)
    )
    (seen,), (results,) = pick(watched, ScriptFacts), pick(alone, ScriptFacts)

    assert [("x", True)] == [(name, True) for name, _ in results.names]
    assert (seen.names, watched.printed) == (results.names, alone.printed)
    assert (True, None) == (seen.coverage is not None, results.coverage)
    assert () == observations(alone)


@pytest.mark.parametrize("finding", ["raises", "is silent"])
def test_only_what_is_asked_for_observations_is_watched(
    forks: Forks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, finding: str
) -> None:
    """The runs that say what is right are not looked into; those of the edits are."""
    file = tmp_path / "mine.py"
    file.write_text(HEAD + (dedent(RAISING) if finding == "raises" else SILENT))
    made = diagnose_script(Runner(), Library(), file, device="cpu", captured=True)
    asked: list[tuple[bool, bool]] = []
    run = Runner.run

    def note(self: Runner, request: ScriptRequest, *rest: object) -> Outcome:
        asked.append((request.source != made.program.source, request.watched))
        return run(self, request, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Runner, "run", note)
    fix_script(replace(made, facts=None), forks.runner, Library(), "cpu")

    assert {(True, True), (False, False)} == set(asked)


def test_what_an_edit_is_compared_with_runs_beside_it(
    forks: Forks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The edited program and the unchanged one wait for each other, and run once each."""
    file = tmp_path / "mine.py"
    file.write_text(HEAD + SILENT)
    made = diagnose_script(Runner(), Library(), file, device="cpu", captured=True)
    meeting = threading.Barrier(2)
    asked = []
    run = Runner.run

    def meet(self: Runner, request: ScriptRequest, *rest: object) -> Outcome:
        asked.append(request.watched)
        meeting.wait(SECONDS)
        return run(self, request, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Runner, "run", meet)
    fixed = fix_script(replace(made, facts=None), forks.runner, Library(), "cpu")

    assert [True] == [finding.fix is not None for finding in fixed.findings]
    assert [False, True] == sorted(asked)


def test_a_fix_is_verified_in_forks(
    forks: Forks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The edited program and the one without jit."""
    monkeypatch.setattr(module, "Templates", lambda: forks)
    monkeypatch.setattr(module, "PREPARED_SECONDS", SECONDS)  # also on a busy machine
    monkeypatch.setattr(forks, "close", lambda: None)
    file = tmp_path / "mine.py"
    file.write_text(HEAD + dedent(RAISING))
    before = forks.count
    with prepared_trials(Library(), "cpu") as trials:
        made = diagnose_script(Runner(), Library(), file, device="cpu", captured=True)
        made = fix_script(made, trials, Library(), "cpu")

    assert made.diagnosis is not None
    assert made.diagnosis.fix is not None
    assert made.diagnosis.fix.verified
    assert before + 2 <= forks.count


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("mine.py", "import os\nos.environ['JAX_ENABLE_X64'] = '1'\n"),
        ("mine.py", "import dotenv\ndotenv.load_dotenv()\n"),
        ("numbers.py", ""),
        ("jaxlib.py", ""),
    ],
)
def test_a_program_that_may_change_how_jax_is_imported_is_not_forked(
    tmp_path: Path, name: str, source: str
) -> None:
    """jax would have been imported too early."""
    file = tmp_path / name
    file.write_text(source + HEAD + dedent(RAISING))
    made = diagnose_program(
        Runner(), Library(), programs.script(file, ()), device="cpu", captured=True
    )
    assert not fix_trials._may_fork(made)


def test_a_template_that_nobody_needs_ends() -> None:
    """A program that runs for long would pay with memory for it."""
    made = Templates()
    made.prepare(FORKED, 0.2)
    (template,) = made._kept.values()

    assert eventually(lambda: not made._kept)
    assert made.fork(FORKED) is None
    made.close()
    assert not psutil.pid_exists(template._popen.pid)
