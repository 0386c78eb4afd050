"""Tests `diagnose` completely: a real script, a real worker, and a tried fix."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from jaxtutor.checking.fix_trials import fix_script
from jaxtutor.checking.script_check import ScriptDiagnosis, diagnose_script
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.model import Diagnosis
from jaxtutor.errors import UsageError
from jaxtutor.processes.runner import Runner

HEAD = "import jax\nimport jax.numpy as jnp\n"
RAISING = """
@jax.jit
def f(x):
    if x.sum() > 0:
        return x * 2
    return x * 3

print(f(jnp.arange(3.0)))
"""
TWICE = """
@jax.jit
def f(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = x * 3
    if y[0] > 1:
        z = y - 1
    else:
        z = y + 1
    return z

print(f(jnp.arange(3.0)))
"""
DROPPED = "x = jnp.zeros(3)\nx.at[0].set(1.0)\nprint(x)\n"


@pytest.fixture
def runner() -> Iterator[Runner]:
    """Return a runner of the test's own."""
    made = Runner()
    yield made
    made.close()


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """Return the path of the learner's script."""
    return tmp_path / "mine.py"


def look_at(
    runner: Runner, script: Path, source: str, *arguments: str, seconds: float = 60.0
) -> ScriptDiagnosis:
    """Write a script and diagnose it without output."""
    script.write_text(HEAD + dedent(source))
    return diagnose_script(
        runner, Library(), script, arguments, device="cpu", seconds=seconds, captured=True
    )


def mend(runner: Runner, made: ScriptDiagnosis) -> ScriptDiagnosis:
    """Try fixes."""
    return fix_script(made, runner, Library(), "cpu")


def diagnosis_of(made: ScriptDiagnosis) -> Diagnosis:
    """Return the diagnosis, which must exist."""
    assert made.diagnosis is not None
    return made.diagnosis


def test_a_right_script_is_clean(runner: Runner, script: Path) -> None:
    """A correct script has its output and no diagnosis."""
    made = look_at(runner, script, "print(jax.jit(jnp.sum)(jnp.arange(3.0)))\n")
    assert ("clean", None, (), "3.0\n") == (
        made.status,
        made.diagnosis,
        made.findings,
        made.stdout,
    )


def test_arguments_reach_the_script(runner: Runner, script: Path) -> None:
    """Arguments after the script's name are passed to it."""
    made = look_at(runner, script, "import sys\nprint(sys.argv[1:])\n", "--n", "3")
    assert "['--n', '3']\n" == made.stdout


def test_what_a_script_raised_is_named(runner: Runner, script: Path) -> None:
    """An exception is diagnosed with class, line, expression and cause."""
    made = look_at(runner, script, RAISING)
    found = diagnosis_of(made)
    assert made.status == "raised"
    assert ("TracerBoolConversionError", "traced-bool-in-if", "x.sum() > 0") == (
        found.error_class,
        found.cause,
        found.expression,
    )


def test_a_fix_is_verified_by_the_answer_without_jit(runner: Runner, script: Path) -> None:
    """A fix is verified if the edited script gives the results of the original without jit."""
    fix = diagnosis_of(mend(runner, look_at(runner, script, RAISING))).fix
    assert fix is not None
    assert fix.verified
    assert "jnp.where(" in fix.source


def test_a_mistake_made_twice_is_mended_twice(runner: Runner, script: Path) -> None:
    """If one edit is not enough, the next failure is diagnosed and edited too."""
    fix = diagnosis_of(mend(runner, look_at(runner, script, TWICE))).fix
    assert fix is not None
    assert fix.verified
    assert 2 == fix.source.count("jnp.where(")


def test_an_edit_without_a_measure_is_not_verified(runner: Runner, script: Path) -> None:
    """If the script also fails without jit, an edit is not verified."""
    made = look_at(runner, script, RAISING + "print(undefined)\n")
    fix = diagnosis_of(mend(runner, made)).fix
    assert fix is None or not fix.verified


def test_trying_fixes_leaves_the_script_alone(runner: Runner, script: Path) -> None:
    """Fixes are tried in memory, and the learner's file stays unchanged."""
    made = look_at(runner, script, RAISING)
    before = script.read_bytes()
    mend(runner, made)
    assert before == script.read_bytes()
    assert [script] == list(script.parent.glob("*.py"))


def test_what_a_script_silently_does_wrong_is_found(runner: Runner, script: Path) -> None:
    """An update that is discarded is a finding at its line."""
    made = look_at(runner, script, DROPPED)
    assert ("found", ["at-set-result-dropped"]) == (made.status, [f.cause for f in made.findings])


def test_a_script_that_never_ends_is_stopped(runner: Runner, script: Path) -> None:
    """A script that reaches the time limit is stopped, and its output is kept."""
    made = look_at(runner, script, "print('on', flush=True)\nwhile True:\n    pass\n", seconds=1.0)
    assert ("timed_out", "on\n") == (made.status, made.stdout)


def test_a_script_that_dies_is_said_to(runner: Runner, script: Path) -> None:
    """A process that ends before its script is reported as a crash with its signal."""
    made = look_at(runner, script, "import os\nos.kill(os.getpid(), 9)\n")
    assert made.status == "crashed"
    assert "SIGKILL" in made.end_detail


def test_leaving_with_a_status_is_no_failure(runner: Runner, script: Path) -> None:
    """`sys.exit` is not a failure."""
    assert "clean" == look_at(runner, script, "import sys\nsys.exit(0)\n").status


def test_broken_python_is_diagnosed_without_a_run(runner: Runner, script: Path) -> None:
    """A syntax error is diagnosed without a worker."""
    made = look_at(runner, script, "print((1\n")
    assert ("raised", "SyntaxError") == (made.status, diagnosis_of(made).error_class)


def test_a_mistake_in_another_file_is_named_there(runner: Runner, script: Path) -> None:
    """A mistake in another module of the learner is located there, and edited in memory only."""
    beside = script.parent / "beside.py"
    beside.write_text(HEAD + RAISING.rpartition("\nprint")[0])
    before = beside.read_bytes()
    made = mend(runner, look_at(runner, script, "import beside\nprint(beside.f(jnp.ones(2)))\n"))
    found = diagnosis_of(made)
    assert (str(beside), "traced-bool-in-if") == (found.file, found.cause)
    assert found.fix is not None
    assert found.fix.verified
    assert [str(beside)] == list(found.fix.edits)
    assert before == beside.read_bytes()


def test_a_script_that_is_not_there_is_refused(runner: Runner, tmp_path: Path) -> None:
    """A missing script is a usage error."""
    with pytest.raises(UsageError, match="does not exist"):
        diagnose_script(runner, Library(), tmp_path / "none.py")
