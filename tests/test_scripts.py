"""Tests `diagnose` completely: a real script, a real worker, and a tried fix."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from forking import forking_runner
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.facts import REPORT, Outcome, ScriptFacts, Started
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.reporting.cells import in_cell
from jaxtutor.errors import UsageError
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.spawn import Kind
from jaxtutor.processes.watched_run import Cancel, Listen
from jaxtutor.scripts import early_findings, programs
from jaxtutor.scripts.fix_trials import fix_script
from jaxtutor.scripts.script_check import diagnose_program, diagnose_script
from jaxtutor.scripts.script_diagnosis import ScriptDiagnosis
from sampling import sampled

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


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    """Return a runner for all tests."""
    with forking_runner() as made:
        yield made


@pytest.fixture
def own_runner() -> Iterator[Runner]:
    """Return a runner whose programs have a process of their own from the start."""
    with closing(Runner()) as made:
        yield made


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


def with_fixes(runner: Runner, made: ScriptDiagnosis) -> ScriptDiagnosis:
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


EDITED = """
import pathlib
import time
import model

file = pathlib.Path(model.__file__)
time.sleep(0.1)
file.write_text("# edited meanwhile\\n" + file.read_text())
{}
"""


@pytest.mark.parametrize(
    ("call", "status"), [("model.keep(jnp.arange(3.0))", "raised"), ("print('end')", "clean")]
)
def test_a_file_that_is_edited_while_it_runs_is_not_diagnosed(
    runner: Runner, script: Path, call: str, status: str
) -> None:
    """Nothing is certain of a text that is not the one which ran."""
    model = script.with_name("model.py")
    model.write_text(HEAD + "\n\n@jax.jit\ndef keep(x):\n    return x[x > 0]\n")
    made = look_at(runner, script, EDITED.format(call))
    assert (status, (str(model),)) == (made.status, made.changed)
    assert str(model) not in made.sources
    if status == "raised":
        found = diagnosis_of(made)
        assert (None, str(model)) == (found.cause, found.file)
        assert "`model.py` has changed since it was loaded" in found.summary


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
    fix = diagnosis_of(with_fixes(runner, look_at(runner, script, RAISING))).fix
    assert fix is not None
    assert fix.verified
    assert "jnp.where(" in fix.source


@pytest.mark.slow
def test_a_mistake_made_twice_is_mended_twice(runner: Runner, script: Path) -> None:
    """If one edit is not enough, the next failure is diagnosed and edited too."""
    fix = diagnosis_of(with_fixes(runner, look_at(runner, script, TWICE))).fix
    assert fix is not None
    assert fix.verified
    assert 2 == fix.source.count("jnp.where(")


@pytest.mark.slow
def test_an_edit_without_a_measure_is_not_verified(runner: Runner, script: Path) -> None:
    """If the script also fails without jit, an edit is not verified."""
    made = look_at(runner, script, RAISING + "print(undefined)\n")
    fix = diagnosis_of(with_fixes(runner, made)).fix
    assert fix is None or not fix.verified


def test_trying_fixes_leaves_the_script_alone(runner: Runner, script: Path) -> None:
    """Fixes are tried in memory, and the learner's file stays unchanged."""
    made = look_at(runner, script, RAISING)
    before = script.read_bytes()
    with_fixes(runner, made)
    assert before == script.read_bytes()
    assert [script] == list(script.parent.glob("*.py"))


def test_what_a_script_silently_does_wrong_is_found(runner: Runner, script: Path) -> None:
    """An update that is discarded is a finding at its line."""
    made = look_at(runner, script, DROPPED)
    assert ("found", ["at-set-result-dropped"]) == (made.status, [f.cause for f in made.findings])


DROPPED_TWICE = """
x = jnp.zeros(3)
x.at[0].set(1.0)
x.at[1].add(2.0)
print(x)
"""


def test_each_of_two_dropped_updates_gets_a_fix(runner: Runner, script: Path) -> None:
    """A statement that keeps nothing has one meaning, and another like it does not hide its fix."""
    made = with_fixes(runner, look_at(runner, script, DROPPED_TWICE))
    fixes = [finding.fix for finding in made.findings]
    assert [(True, False)] * 2 == [(fix.verified, fix.compared) for fix in fixes if fix]


WORDS_CHANGE = """
key = jax.random.key(0)
x = jax.random.normal(key, (3,))
y = jax.random.normal(key, (3,))
print({text})
"""


@pytest.mark.parametrize(("text", "is_said"), [("x, y", True), ("(x == y).all()", False)])
def test_changes_of_wrong_results_are_reported(
    runner: Runner, script: Path, text: str, is_said: bool
) -> None:
    """The fix of a finding is not verified; the message says if only numbers change with it."""
    made = with_fixes(runner, look_at(runner, script, WORDS_CHANGE.format(text=text)))
    (fix,) = [finding.fix for finding in made.findings if finding.fix is not None]
    assert (False, is_said) == (fix.verified, fix.only_numbers_change)


LEAKING = """
history = []

@jax.jit
def step(x):
    history.append(x * 2)
    return x + 1

print(step(jnp.ones(2)))
"""


def test_a_leak_into_a_global_is_found(runner: Runner, script: Path) -> None:
    """A traced value that a list of the script holds is a finding at the line that stores it."""
    made = look_at(runner, script, LEAKING)
    assert [("leaked-by-append", 8)] == [
        (found.cause, found.span.line) for found in made.findings if found.span is not None
    ]


@pytest.mark.slow
def test_a_long_run_that_is_stopped_keeps_its_findings(runner: Runner, script: Path) -> None:
    """What was observed before the time limit is reported, although the script did not end."""
    source = """
    import time
    import jax
    key = jax.random.key(0)
    a = jax.random.normal(key, (2,))
    b = jax.random.normal(key, (3,))
    time.sleep(600)
    """
    made = look_at(runner, script, dedent(source), seconds=20.0)
    assert ("timed_out", ["prng-key-reuse"]) == (made.status, [f.cause for f in made.findings])


def test_a_script_that_never_ends_is_stopped(runner: Runner, script: Path) -> None:
    """A script that reaches the time limit is stopped, and its output is kept."""
    made = look_at(runner, script, "print('on', flush=True)\nwhile True:\n    pass\n", seconds=4.0)
    assert ("timed_out", "on\n") == (made.status, made.stdout)


def test_a_stopped_script_says_where_it_was(own_runner: Runner, script: Path) -> None:
    """At the time limit, the position and what was observed until then are reported."""
    source = f"{DROPPED}import time\nprint('on', flush=True)\ntime.sleep(1000)\n"
    made = look_at(own_runner, script, source, seconds=4.0)
    assert ("timed_out", 8) == (made.status, diagnosis_of(made).span.line)  # type: ignore[union-attr]
    assert ["at-set-result-dropped"] == [found.cause for found in made.findings]


def test_an_interrupted_script_reports_what_is_known(runner: Runner, script: Path) -> None:
    """Ctrl-C ends a long run; what was found until then is not lost."""
    made = look_at(runner, script, f"{DROPPED}raise KeyboardInterrupt\n")
    assert "raised" == made.status
    assert ["at-set-result-dropped"] == [found.cause for found in made.findings]


BEGINS = """
import time
from pathlib import Path
Path(__file__).with_name("on").touch()
"""
LONG = f"""{DROPPED}{BEGINS}
while not Path(__file__).with_name("off").exists():
    time.sleep(0.05)
"""


def press_ctrl_c(began: Path) -> None:
    """Send SIGINT to this process once a file exists."""
    while not began.exists():
        time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_before_an_import_error_ended_the_program(own_runner: Runner, script: Path) -> None:
    """A C module may end in an ImportError without a word of Ctrl-C; jaxtutor saw the key."""
    threading.Thread(target=press_ctrl_c, args=[script.with_name("on")], daemon=True).start()
    swallowed = "try:\n    time.sleep(9)\nexcept KeyboardInterrupt:\n    pass\n"
    raising = "raise ImportError('initialization failed') from None\n"
    made = look_at(own_runner, script, BEGINS + swallowed + raising, seconds=100.0)
    assert made.interrupted
    assert made.diagnosis is not None
    assert "The program was interrupted here." == made.diagnosis.summary


def test_ctrl_c_during_an_import_is_no_error_of_the_program(runner: Runner, script: Path) -> None:
    """A module in C reports Ctrl-C as an ImportError of its own; the script was interrupted."""
    raising = "raise ImportError('while initializing the extension') from KeyboardInterrupt()\n"
    made = look_at(runner, script, raising)
    assert made.failure is not None
    assert ("KeyboardInterrupt", 130) == (made.failure.error_class, made.exit_status)


@pytest.mark.parametrize(("pressed_in", "interrupted"), [("script", False), (REPORT, True)])
def test_ctrl_c_is_for_the_program_until_it_is_over(
    script: Path, pressed_in: str, interrupted: bool
) -> None:
    """A program may catch Ctrl-C and go on; while its exception is described, it is for us."""
    script.write_text("raise ValueError\n")
    facts = ScriptFacts(1, failure=Failure("ValueError", ("ValueError",), ""))

    class FakeRunner:
        def run(
            self, _: object, kind: Kind, seconds: float, cancel: Cancel, listen: Listen
        ) -> Outcome:
            for event in (Started("script"), Started(REPORT), facts):
                listen(event)
                if isinstance(event, Started) and event.stage == pressed_in:
                    os.kill(os.getpid(), signal.SIGINT)
            return Outcome("finished", 0.1, events=(facts,), exit_status=1)

    made = diagnose_script(FakeRunner(), Library(), script)  # type: ignore[arg-type]
    assert interrupted == made.interrupted


def test_ctrl_c_ends_a_captured_script(runner: Runner, script: Path) -> None:
    """Ctrl-C, which does not reach a captured script, ends it; what is known is returned."""
    threading.Thread(target=press_ctrl_c, args=[script.with_name("on")], daemon=True).start()
    made = look_at(runner, script, LONG, seconds=100.0)
    assert made.interrupted
    assert ["at-set-result-dropped"] == [found.cause for found in made.findings]


def test_findings_are_reported_while_a_script_runs(
    runner: Runner, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that runs for longer than the patience has its findings reported before its end."""
    monkeypatch.setattr(early_findings, "PATIENCE", 1.0)
    script.write_text(HEAD + LONG)
    causes: list[str | None] = []

    def report(found: Diagnosis) -> None:
        causes.append(found.cause)
        script.with_name("off").touch()

    made = diagnose_program(
        runner, Library(), programs.script(script), device="cpu", captured=True, report=report
    )
    assert ["at-set-result-dropped"] == causes
    assert made.status == "found"


def test_a_script_that_dies_is_reported(runner: Runner, script: Path) -> None:
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
    made = with_fixes(
        runner, look_at(runner, script, "import beside\nprint(beside.f(jnp.ones(2)))\n")
    )
    found = diagnosis_of(made)
    assert (str(beside), "traced-bool-in-if") == (found.file, found.cause)
    assert found.fix is not None
    assert found.fix.verified
    assert [str(beside)] == list(found.fix.edits)
    assert before == beside.read_bytes()


def test_a_status_of_its_own_is_reported(runner: Runner, script: Path) -> None:
    """A script that ends with a status other than 0 is not clean."""
    made = look_at(runner, script, "import sys\nsys.exit(3)\n")
    assert ("exited", 3) == (made.status, made.exit_status)


UNITTEST = """
import unittest

@jax.jit
def f(x):
    if x > 0:
        return x
    return -x

class Tests(unittest.TestCase):
    def test_f(self):
        self.assertEqual(3.0, float(f(jnp.float32(3))))

    @unittest.expectedFailure
    def test_g(self):
        self.fail()

unittest.main()
"""
HANDLED = """
import sys

def main():
    try:
        jax.jit(lambda x: 1 if x > 0 else 2)(1)
    except Exception as error:
        print("failed")
        sys.exit(4)

main()
"""


def test_a_failing_test_of_unittest_is_diagnosed(runner: Runner, script: Path) -> None:
    """The exception of a failing test is diagnosed, and a fix passes the tests."""
    made = with_fixes(runner, look_at(runner, script, UNITTEST))
    found = diagnosis_of(made)
    assert ("raised", 1, "traced-bool-in-if") == (made.status, made.exit_status, found.cause)
    assert ["__main__.Tests.test_f"] == [item.test for item in made.caught]
    assert found.fix is not None
    assert found.fix.verified


MAIN = """
if __name__ == "__main__":
    raise SystemExit(pytest.main([__file__, "-q"]))
"""


@pytest.mark.parametrize("end", sampled(["", MAIN], 2), ids=["pytest", "main"])
def test_a_failing_test_of_pytest_is_diagnosed(
    own_runner: Runner, script: Path, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Failing tests are found with `-- pytest`, and in a script that runs pytest itself.

    An edit of the test's file is tried too, although pytest loads that file in its own way.
    """
    monkeypatch.chdir(script.parent)
    body = UNITTEST.partition("class")[0].replace("unittest", "pytest")
    test = "\ndef test_f():\n    assert f(jnp.float32(3)) == 3.0\n"
    script.write_text(HEAD + body + test + end)
    words = (str(script),) if end else ("pytest", "-q", script.name)
    program = programs.from_command_line(words)
    made = diagnose_program(own_runner, Library(), program, device="cpu", captured=True)
    assert ("raised", 1) == (made.status, made.exit_status)
    assert ["mine.py::test_f"] == [item.test for item in made.caught]
    assert "traced-bool-in-if" == diagnosis_of(made).cause
    found = diagnosis_of(with_fixes(own_runner, made))
    assert found.fix is not None
    assert found.fix.verified


def test_a_handled_exception_behind_the_status_is_diagnosed(runner: Runner, script: Path) -> None:
    """If the script ends itself while it handles an exception, that exception is diagnosed."""
    made = look_at(runner, script, HANDLED)
    found = diagnosis_of(made)
    assert ("raised", 4) == (made.status, made.exit_status)
    assert "traced-bool" in (found.cause or "")


def test_a_module_of_a_package_runs(
    own_runner: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`-m` runs a module as Python does, and a mistake beside it is named and mended there."""
    package = tmp_path / "research"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "model.py").write_text(HEAD + RAISING.rpartition("\nprint")[0])
    (package / "train.py").write_text(
        "import sys\nimport jax.numpy as jnp\nfrom .model import f\n"
        "print(__name__, __package__, sys.argv[1:])\nprint(f(jnp.ones(2)))\n"
    )
    monkeypatch.chdir(tmp_path)
    program = programs.module("research.train", ("-x",))
    made = diagnose_program(own_runner, Library(), program, device="cpu", captured=True)
    assert "__main__ research ['-x']\n" == made.stdout
    assert str(package / "train.py") == str(made.file)
    found = diagnosis_of(with_fixes(own_runner, made))
    assert (str(package / "model.py"), "traced-bool-in-if") == (found.file, found.cause)
    assert found.fix is not None
    assert found.fix.verified


def test_a_project_is_the_learners_own(runner: Runner, tmp_path: Path) -> None:
    """A mistake in a package beside the script's folder is named at its line."""
    for folder in ("scripts", "mylib"):
        (tmp_path / folder).mkdir()
    (tmp_path / "mylib" / "__init__.py").write_text(HEAD + RAISING.rpartition("\nprint")[0])
    script = tmp_path / "scripts" / "train.py"
    made = look_at(
        runner,
        script,
        f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nimport mylib\n"
        "print(mylib.f(jnp.ones(2)))\n",
    )
    found = diagnosis_of(made)
    assert str(tmp_path / "mylib" / "__init__.py") == found.file
    assert "traced-bool-in-if" == found.cause


def test_a_notebook_runs_cell_by_cell(runner: Runner, tmp_path: Path) -> None:
    """The cells run in order in the notebook's folder, and the failing line is placed in one."""
    cells = ["%matplotlib inline\n" + HEAD, "print(open('data.txt').read())", RAISING.strip()]
    text = json.dumps({"cells": [{"cell_type": "code", "source": c} for c in cells], "nbformat": 4})
    (tmp_path / "data.txt").write_text("data")
    (tmp_path / "a.ipynb").write_text(text)
    program = programs.script(tmp_path / "a.ipynb")
    made = diagnose_program(runner, Library(), program, device="cpu", captured=True)
    assert program.notebook is not None
    found, source, number = in_cell(diagnosis_of(made), program.notebook)
    assert ("data\n", 3, 3) == (made.stdout, number, found.span.line if found.span else 0)
    assert RAISING.strip() == source.strip()


CALLBACK = """
def on_host(x):
    x[0] = 0.0
    return x

@jax.jit
def f(x):
    return jax.pure_callback(on_host, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

print(f(jnp.ones(3)))
"""


def test_what_a_callback_raises_is_diagnosed_where_it_raises(runner: Runner, script: Path) -> None:
    """JAX passes on the text alone; the text has no frames of this program."""
    made = look_at(runner, script, CALLBACK)
    found = diagnosis_of(made)
    assert ("JaxRuntimeError", "inplace-assignment") == (found.error_class, found.cause)
    assert "x[0] = 0.0" == found.expression
    assert f"jaxtutor{os.sep}worker" not in found.message


UNKNOWN_IN_CALLBACK = """
def on_host(x):
    raise ArithmeticError(f"not today: {x.shape}")

f = jax.jit(lambda x: jax.debug.callback(on_host, x))
f(jnp.ones(3))
jax.effects_barrier()
"""


def test_a_callback_without_a_cause_has_its_own_place(runner: Runner, script: Path) -> None:
    """The line in the callback is shown, not the one that waits for the program."""
    found = diagnosis_of(look_at(runner, script, UNKNOWN_IN_CALLBACK))
    assert found.cause is None
    assert found.expression.startswith("raise ArithmeticError")


def test_a_second_run_loads_what_was_compiled_to_look(
    runner: Runner, script: Path, tmp_path: Path
) -> None:
    """The operations that JAX evaluates are kept, and both runs find the same."""
    cache = tmp_path / "operations"
    script.write_text(
        HEAD + "f = jax.jit(lambda x, i: jnp.linalg.inv(x)[i])\nprint(f(jnp.eye(3), 7))\n"
    )
    program = replace(programs.script(script), cache=str(cache))
    found, kept = [], []
    for _ in range(2):
        made = diagnose_program(runner, Library(), program, device="cpu", captured=True)
        found.append([finding.cause for finding in made.findings])
        kept.append(sorted(path.name for path in cache.iterdir()))
    assert [["out-of-bounds-clamped"]] * 2 == found
    assert kept[0]
    assert kept[0] == kept[1]


LATE = """
def wait():
    raise RuntimeError("a callback failed")

jax.effects_barrier = wait
print("end")
"""


def test_what_a_device_reports_late_is_the_programs(runner: Runner, script: Path) -> None:
    """On a GPU a callback may raise when the program has reached its end."""
    made = look_at(runner, script, LATE)
    assert ("end\n", "raised") == (made.stdout, made.status)
    assert "a callback failed" in diagnosis_of(made).message


def test_a_cell_that_is_meant_to_raise_does_not_end_a_notebook(
    runner: Runner, tmp_path: Path
) -> None:
    """The cells after one with the tag of Jupyter run, in the run of an edit too."""
    sources = [HEAD, "x = jnp.ones(3)\nx[0] = 2.0", RAISING.strip()]
    cells: list[dict[str, Any]] = [{"cell_type": "code", "source": c} for c in sources]
    cells[1]["metadata"] = {"tags": ["raises-exception"]}
    file = tmp_path / "a.ipynb"
    file.write_text(json.dumps({"cells": cells, "nbformat": 4}))
    program = programs.script(file)
    made = diagnose_program(runner, Library(), program, device="cpu", captured=True)
    assert program.notebook is not None
    _, source, number = in_cell(diagnosis_of(made), program.notebook)
    assert (3, RAISING.strip()) == (number, source.strip())
    edited = program.request({str(file): f"import os\n{program.source}"})
    assert (1, (edited.cells[1],)) == (edited.cells[0], edited.may_raise)


@pytest.mark.parametrize(
    ("given", "argument"),
    [
        ("{'x': jnp.ones(3), 'names': ['a']}", "batch['names'][0]"),
        ("argparse.Namespace(x=1)", "batch"),
    ],
)
def test_only_a_whole_hashable_argument_is_made_static(
    runner: Runner, script: Path, given: str, argument: str
) -> None:
    """Advice does not put a path, or what has no hash, into static_argnames."""
    made = look_at(
        runner,
        script,
        f"import argparse\n\n@jax.jit\ndef step(batch):\n    return 1\n\nstep({given})\n",
    )
    found = diagnosis_of(made)
    assert "nonarray-arg-not-static" == found.cause
    assert f"`{argument}`" in found.summary
    assert 'static_argnames="' not in found.advice


def test_without_an_answer_a_fix_is_not_verified(runner: Runner, script: Path) -> None:
    """If the script neither prints nor keeps a value, running is all that is known of a fix."""
    hidden = "[f(jnp.ones(2))].clear()"
    made = look_at(runner, script, RAISING.replace("print(f(jnp.arange(3.0)))", hidden))
    fix = diagnosis_of(with_fixes(runner, made)).fix
    assert fix is not None
    assert not fix.verified


WRAPPING = """
import sys
sys.path.insert(0, {folder!r})
import sampler
print(sampler.mix(jnp.int32(2_000_000_000)))
"""


def test_integers_that_wrap_in_a_library_are_no_finding(runner: Runner, script: Path) -> None:
    """A sampler of a library shuffles bits; the learner's own arithmetic is looked at."""
    installed = script.parent / "lib" / "site-packages"
    installed.mkdir(parents=True)
    body = "import jax\n\n@jax.jit\ndef mix(x):\n    return x + x\n"
    (installed / "sampler.py").write_text(body)
    made = look_at(runner, script, WRAPPING.format(folder=str(installed)))
    assert "clean" == made.status
    (script.parent / "sampler.py").write_text(body)
    (installed / "sampler.py").unlink()
    made = look_at(runner, script, WRAPPING.format(folder=str(script.parent)))
    assert ["integer-overflow"] == [finding.cause for finding in made.findings]


def test_keys_of_separate_experiments_are_no_finding(runner: Runner, script: Path) -> None:
    """A key that is made again from its seed belongs to another experiment."""
    made = look_at(
        runner,
        script,
        "a = jax.random.normal(jax.random.key(0), (2,))\n"
        "b = jax.random.uniform(jax.random.key(0), (2,))\nprint(a, b)\n",
    )
    assert "clean" == made.status


def test_a_script_that_is_not_there_is_refused(runner: Runner, tmp_path: Path) -> None:
    """A missing script is a usage error."""
    with pytest.raises(UsageError, match="does not exist"):
        diagnose_script(runner, Library(), tmp_path / "none.py")


@pytest.mark.slow
def test_runs_at_the_same_time_do_not_disturb_each_other(
    runner: Runner, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fix is verified for a program that only one process can run at a time."""
    monkeypatch.chdir(script.parent)
    made = look_at(
        runner,
        script,
        """
        import os, time

        @jax.jit
        def sign(x):
            if x > 0:
                return 1.0
            return -1.0

        open("lock", "x").close()
        try:
            time.sleep(1.0)
            print(sign(2.0))
        finally:
            os.remove("lock")
        """,
    )
    fix = diagnosis_of(with_fixes(runner, made)).fix
    assert fix is not None
    assert fix.verified
