"""Tests a complete check: the cached answers, whose fault a failure is, and cancelling."""

from __future__ import annotations

import gc
import os
import threading
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from builders import WRONG_PRIMAL
from jaxtutor.checks import lesson_check
from jaxtutor.checks.lesson_check import Checker
from jaxtutor.content.cause_pages import Library
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.facts import Outcome
from jaxtutor.core.data.requests import CheckRequest, DevicesRequest
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.diagnosis.engine.source import LARGE, Module, read_module
from jaxtutor.errors import TutorError
from jaxtutor.processes import spawn
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.spawn import Kind
from jaxtutor.processes.watched_run import Cancel
from sampling import sampled
from trials.sample_lessons import CHECKS, INFO, SOLUTION, make_lesson

pytestmark = pytest.mark.usefixtures("forked_workers")

WRONG = "def double(x):\n    return 3 * x\n"
RAISING = "import jax.numpy as jnp\n\n\ndef double(x):\n    return 2 * x if x[0] > 0 else x\n"


class Counting(Runner):
    """A runner that records its requests."""

    def __init__(self) -> None:
        super().__init__()
        self.files: list[str] = []

    def run(self, request: Any, *args: Any, **kwargs: Any) -> Outcome:
        self.files.append(Path(request.file).name)
        return super().run(request, *args, **kwargs)


@pytest.fixture
def runner() -> Iterator[Counting]:
    """Return a runner of the test's own."""
    made = Counting()
    yield made
    made.close()


@pytest.fixture
def checker(runner: Counting, tmp_path: Path) -> Checker:
    """Return a checker with an empty cache."""
    return Checker(runner, Library(), tmp_path / "references", "cpu")


@pytest.fixture
def lesson(tmp_path: Path) -> Lesson:
    """Return a sound lesson."""
    return make_lesson(tmp_path / "01_double")


def check(checker: Checker, lesson: Lesson, source: str) -> Verdict:
    """Check a submission without cancelling."""
    verdict = checker.check(lesson, source, lesson.folder.parent / "mine.py")
    assert verdict is not None
    return verdict


def kept(checker: Checker) -> list[Path]:
    """Return the files of the cache."""
    return sorted(checker.references.glob("*")) if checker.references.is_dir() else []


# ---------------------------------------------------------------- cached answers


def test_the_solution_runs_once(checker: Checker, runner: Counting, lesson: Lesson) -> None:
    """The first check runs solution and submission in two processes; later ones the submission."""
    assert "passed" == check(checker, lesson, SOLUTION).status
    assert ["mine.py", "solution.py"] == sorted(runner.files)

    assert "failed" == check(checker, lesson, WRONG).status
    assert ["mine.py"] == runner.files[2:]


def test_what_is_damaged_or_outdated_is_found_out_anew(
    checker: Checker, runner: Counting, lesson: Lesson
) -> None:
    """Damaged answers, and answers of another solution, are computed again."""
    reference = checker.reference(lesson)
    (file,) = kept(checker)
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(bytes(data))
    again = checker.reference(lesson)

    assert ["solution.py"] * 2 == runner.files
    assert [type(event) for event in reference.events] == [type(event) for event in again.events]
    assert again == checker.reference(lesson)
    assert 2 == len(runner.files)

    (lesson.folder / "solution.py").write_text(SOLUTION + "\n# another\n")
    checker.reference(lesson)
    assert 3 == len(runner.files)


def test_a_cache_that_cannot_be_written_costs_time_only(
    runner: Counting, lesson: Lesson, tmp_path: Path
) -> None:
    """Without a writable cache the solution runs each time, and the verdict is the same."""
    (tmp_path / "file").write_text("in the way")
    checker = Checker(runner, {}, tmp_path / "file" / "references", "cpu")

    assert "passed" == check(checker, lesson, SOLUTION).status
    assert "failed" == check(checker, lesson, WRONG).status
    assert 2 == runner.files.count("solution.py")


def test_two_who_ask_at_once_wait_for_one(
    checker: Checker, runner: Counting, lesson: Lesson
) -> None:
    """Checks of saves in quick succession wait for one run of the solution."""
    threads = [threading.Thread(target=checker.reference, args=(lesson,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert ["solution.py"] == runner.files


# ---------------------------------------------------------------- whose fault it is


def test_a_submission_that_raises_is_diagnosed(checker: Checker, lesson: Lesson) -> None:
    """A submission that raises is diagnosed with class, cause and line."""
    verdict = check(checker, lesson, RAISING)

    assert "raised" == verdict.status
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.span is not None
    assert ("TracerBoolConversionError", "traced-bool-in-ternary", 5) == (
        verdict.diagnosis.error_class,
        verdict.diagnosis.cause,
        verdict.diagnosis.span.line,
    )
    assert verdict.works_without_jit


SILENT = {
    "host randomness": (
        "import numpy as np\n\n\ndef double(x):\n    return 2 * x + np.random.normal()\n",
        ("impure-host-random", 5),
    ),
    "a forgotten return": ("def double(x):\n    y = 2 * x\n", ("missing-return", 1)),
    "a dropped update": (
        "def double(x):\n    x.at[:].multiply(2)\n    return x\n",
        ("at-set-result-dropped", 2),
    ),
}


@pytest.mark.parametrize("what", SILENT)
def test_what_raises_nothing_is_found(checker: Checker, lesson: Lesson, what: str) -> None:
    """A wrong answer comes with the findings in the submission."""
    source, expected = SILENT[what]
    verdict = check(checker, lesson, source)

    assert "failed" == verdict.status
    assert [expected] == [(f.cause, f.span and f.span.line) for f in verdict.findings]


def test_the_first_nan_of_a_gradient_is_found(checker: Checker, tmp_path: Path) -> None:
    """A gradient that is not finite comes with the expression where the first NaN appears."""
    checks = CHECKS.replace("import Call", "import Call, Gradient") + (
        "PROPERTIES = [Gradient([Call(np.zeros(2, np.float32))], finite=True, says='It is 2.')]\n"
    )
    lesson = make_lesson(tmp_path / "01_double", {"checks.py": checks})
    source = (
        "import jax.numpy as jnp\n\n\ndef double(x):\n"
        "    return 2 * jnp.where(x == 0, 0.0, jnp.sign(x) * jnp.sqrt(x * x))\n"
    )
    verdict = check(checker, lesson, source)

    assert "failed" == verdict.status
    assert ["nan-grad-through-where"] == [found.cause for found in verdict.findings]


def test_a_rule_that_returns_another_answer_is_found(checker: Checker, tmp_path: Path) -> None:
    """A rule that returns a wrong answer beside a right gradient fails the gradient check."""
    files = {"checks.py": CHECKS.replace("import Call", "import Call, Gradient") + SMOOTH}
    verdict = check(checker, make_lesson(tmp_path / "01_double", files), WRONG_PRIMAL)

    assert ("failed", "Wrong answer under differentiation") == (verdict.status, verdict.headline)


ROUNDS = "import jax.numpy as jnp\n\n\ndef double(x):\n    return jnp.round(2 * x)\n"
SMOOTH = "PROPERTIES = [Gradient([Call(np.ones(2, np.float32))], says='It is 2.')]\n"


@pytest.mark.parametrize(
    ("solution", "expected"),
    [(SOLUTION, ["zero-gradient"]), (ROUNDS, [])],
    ids=["another gradient is expected", "zero is expected"],
)
def test_a_zero_gradient_is_found_where_it_is_wrong(
    checker: Checker, tmp_path: Path, solution: str, expected: list[str]
) -> None:
    """A zero gradient is reported only if the solution's gradient is not zero."""
    checks = CHECKS.replace("import Call", "import Call, Gradient").replace("[0.5]", "[1.5]")
    checks = checks.replace("[1.0]", "[3.0]").replace("rng.normal(size=3)", "np.arange(3)") + SMOOTH
    files = {"checks.py": checks, "solution.py": solution}
    verdict = check(checker, make_lesson(tmp_path / "01_double", files), ROUNDS)

    assert expected == [found.cause for found in verdict.findings]


def test_the_loop_that_a_program_grows_by_is_found(checker: Checker, tmp_path: Path) -> None:
    """If a program must not grow, the loop that is unrolled into it is reported."""
    checks = CHECKS.replace("import Call", "import Call, SameSize") + (
        "PROPERTIES = [SameSize([Call(np.ones(n, np.float32)) for n in (2, 20)], says='Short.')]\n"
    )
    source = (
        "import jax.numpy as jnp\n\n\ndef double(x):\n"
        "    return jnp.stack([2 * x[i] for i in range(x.size)])\n"
    )
    lesson = make_lesson(tmp_path / "01_double", {"checks.py": checks})
    verdict = check(checker, lesson, source)

    assert ["unrolled-loop"] == [found.cause for found in verdict.findings]


def test_a_function_that_is_not_compiled_is_not_tried_without_jit(
    checker: Checker, tmp_path: Path
) -> None:
    """A call of a function that is never compiled is not repeated after it raised."""
    source = (
        "from itertools import count\n\nCALLS = count()\n\n\ndef double(x):\n"
        "    if next(CALLS) == 1:\n        raise ValueError('once')\n    return 2 * x\n"
    )
    lesson = make_lesson(tmp_path / "01_double", {"checks.py": f"{CHECKS}\nJIT = False\n"})
    verdict = check(checker, lesson, source)

    assert ("raised", False) == (verdict.status, verdict.works_without_jit)


def test_a_large_submission_is_not_kept(
    checker: Checker, lesson: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parsed text of a large submission is used for its verdict, and dropped after it."""
    parsed: list[weakref.ref[Module]] = []

    def note(_: object, sources: Mapping[str, str], __: object) -> tuple[Diagnosis, ...]:
        ((file, text),) = sources.items()
        module = read_module(file, text)
        assert module is not None
        parsed.append(weakref.ref(module))
        return ()

    monkeypatch.setattr(lesson_check, "find", note)
    source = SOLUTION + "".join(f"def f{n}(x): return x\n" for n in range(LARGE // 20))
    assert "passed" == check(checker, lesson, source).status
    gc.collect()

    assert [None] == [module() for module in parsed]


LOST = "import jax.numpy as jnp\n\n\ndef double(x):\n    x.at[0].set(1.0)\n    return {}\n"


@pytest.mark.parametrize(
    ("answer", "status", "findings", "beside"),
    [
        ("2 * x", "passed", 0, 1),
        ("3 * x", "failed", 1, 0),
        ("2 * x if x[0] > 0 else x", "raised", 0, 1),
    ],
)
def test_what_the_source_shows_is_said_beside_the_verdict(
    checker: Checker, lesson: Lesson, answer: str, status: str, findings: int, beside: int
) -> None:
    """A dropped update may be why an answer is wrong. It is not why a submission passes."""
    verdict = check(checker, lesson, LOST.format(answer))
    assert (status, findings, beside) == (
        verdict.status,
        len(verdict.findings),
        len(verdict.beside),
    )
    (found,) = (*verdict.findings, *verdict.beside)
    assert ("at-set-result-dropped", 5) == (found.cause, found.span and found.span.line)


def test_a_right_submission_has_no_finding(checker: Checker, lesson: Lesson) -> None:
    """A correct submission has no finding."""
    verdict = check(checker, lesson, SOLUTION)
    assert () == (*verdict.findings, *verdict.beside)


BROKEN = {
    "checks that do not import": (
        {"checks.py": "import no_such_thing\n"},
        "checks.py: ModuleNotFoundError: No module named 'no_such_thing'",
    ),
    "checks without examples": (
        {"checks.py": "EXAMPLES = []\n"},
        "checks.py: ValueError: checks.py has no EXAMPLES",
    ),
    "a property without calls": (
        {
            "checks.py": CHECKS
            + "\nfrom jaxtutor.core.vocabulary import *\nPROPERTIES = [Types([])]"
        },
        "checks.py: 'dtype' has no calls",
    ),
    "calls that break": (
        {
            "checks.py": CHECKS
            + "\nfrom jaxtutor.core.vocabulary import *\nPROPERTIES = [Types(lambda: [1 / 0])]"
        },
        "checks.py: the calls of 'dtype': ZeroDivisionError: division by zero",
    ),
    "a check of its own without a test": (
        {
            "checks.py": CHECKS
            + "\nfrom jaxtutor.core.vocabulary import *\nPROPERTIES = [Custom('odd', 'It is.')]"
        },
        "checks.py: the check 'odd' has no test",
    ),
    "a solution that raises": (
        {"solution.py": "def double(x):\n    raise ValueError('not yet')\n"},
        "its solution raised ValueError: not yet",
    ),
    "a solution that contradicts its page": (
        {"checks.py": CHECKS.replace("[2.0, 4.0]", "[2.0, 5.0]")},
        "its solution contradicts the example x=[1.0, 2.0]: 1 of 2 elements differ",
    ),
    "a solution without the function": (
        {"solution.py": "def twice(x):\n    return 2 * x\n"},
        "its solution does not define the function that its checks call",
    ),
    "a solution that fails its own check": (
        {
            "checks.py": CHECKS
            + "\nfrom jaxtutor.core.vocabulary import *\n"
            + "PROPERTIES = [Uses(EXAMPLES, ('scan',))]"
        },
        "its solution fails the check primitive: the jaxpr does not use scan; it uses mul",
    ),
}


@pytest.mark.parametrize("what", sampled(BROKEN, 2))
def test_a_broken_lesson_is_the_lessons_fault(checker: Checker, tmp_path: Path, what: str) -> None:
    """A broken lesson is reported as the lesson's fault for any submission, and is not cached."""
    files, says = BROKEN[what]
    verdict = check(checker, make_lesson(tmp_path / "02_broken", files), SOLUTION)

    assert ("lesson_at_fault", says) == (verdict.status, verdict.headline)
    assert kept(checker) == []


def test_a_lesson_without_its_files_is_reported(checker: Checker, lesson: Lesson) -> None:
    """A missing file of the course is an error of the environment that names the lesson."""
    (lesson.folder / "checks.py").unlink()

    with pytest.raises(TutorError, match=r"The lesson double is broken: checks\.py"):
        check(checker, lesson, SOLUTION)


def test_a_lesson_may_ask_for_more(checker: Checker, tmp_path: Path) -> None:
    """A lesson can set its number of devices and its time limit."""
    needs = INFO + "needs = { devices = 2, seconds = 4 }\n"
    lesson = make_lesson(tmp_path / "02_needs", {"lesson.toml": needs})
    source = "import jax\nassert len(jax.devices()) == 2\n" + SOLUTION

    assert "passed" == check(checker, lesson, source).status
    slow = check(checker, lesson, "while True: pass\n" + SOLUTION)
    headline = "Still running after 4 s: the loop `while True` in line 1"
    assert ("timed_out", headline) == (slow.status, slow.headline)


# ---------------------------------------------------------------- the device


def test_a_device_that_is_not_there_is_reported(
    runner: Counting, lesson: Lesson, tmp_path: Path
) -> None:
    """A missing device is reported with the available ones, as an error of the environment."""
    checker = Checker(runner, {}, tmp_path / "references", "tpu:7")

    with pytest.raises(TutorError) as raised:
        check(checker, lesson, SOLUTION)

    assert "Device 'tpu:7' does not exist on this machine." == raised.value.message
    assert "JAX can run on cpu:0" in raised.value.remedy
    assert 3 == raised.value.status


@pytest.mark.parametrize(("count", "device"), [(1, "gpu"), (8, "cpu")])
def test_several_devices_are_the_cpus(
    runner: Counting, tmp_path: Path, count: int, device: str
) -> None:
    """A lesson that needs eight devices runs where jax would find one GPU."""
    info = INFO + f"needs = {{ devices = {count} }}\n"
    lesson = make_lesson(tmp_path / "02_needs", {"lesson.toml": info})
    checker = Checker(runner, {}, tmp_path / "references", "gpu")

    assert (device, count) == (checker.kind(lesson).device, checker.kind(lesson).cpus)


# ---------------------------------------------------------------- without a worker


@pytest.fixture
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make starting a process fail."""

    def refuse(kind: Kind) -> spawn.Process:
        raise AssertionError("a worker was started")

    monkeypatch.setattr(spawn, "start", refuse)


def test_what_is_no_python_needs_no_worker(
    checker: Checker, lesson: Lesson, no_worker: None
) -> None:
    """A syntax error is reported with its line, without starting a worker."""
    verdict = check(checker, lesson, "def double(x):\n    return 2 *\n")

    assert ("raised", "SyntaxError: invalid syntax") == (verdict.status, verdict.headline)
    assert ["syntax"] == [check.name for check in verdict.checks]
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.span is not None
    assert 2 == verdict.diagnosis.span.line


# ---------------------------------------------------------------- ending early

ENDLESS = """
import time

from jaxtutor.core.vocabulary import Custom, SameSize


def wait(function):
    if function.__name__ != "double":
        time.sleep(600)


PROPERTIES = [
    SameSize([Call(np.ones(3, np.float32)), Call(np.ones(300, np.float32))]),
    Custom("endless", "It ends.", wait),
]


def subject(module):
    return module.double
"""
WRONG_AND_ENDLESS = "def triple(x):\n    return 3 * x\n\n\ndouble = triple\n"
LOOP = """import jax.numpy as jnp


def loop(x):
    return jnp.stack([2 * x[i] for i in range(len(x))])


double = loop
"""


@pytest.mark.parametrize(("source", "failed"), [(WRONG_AND_ENDLESS, "values"), (LOOP, "equations")])
def test_a_run_can_end_with_the_first_check_that_fails(
    checker: Checker, tmp_path: Path, source: str, failed: str
) -> None:
    """Nothing is measured after it: the check that would not end is not begun."""
    lesson = make_lesson(tmp_path / "01_double", {"checks.py": CHECKS + ENDLESS})
    quick = replace(checker, stops_early=True)

    tried = quick.measure(lesson, source, tmp_path / "mine.py")
    assert tried is not None
    verdict = quick.judge(tried)

    assert "finished" == tried.outcome.end
    assert "failed" == verdict.status
    assert failed == next(it.name for it in verdict.checks if it.status == "failed")
    assert "skipped" == verdict.checks[-1].status


def test_a_run_that_raises_can_end_before_the_run_without_jit(
    checker: Checker, lesson: Lesson
) -> None:
    """What is raised under jit decides; whether it works without jit is then not known."""
    quick = replace(checker, stops_early=True)

    assert check(checker, lesson, RAISING).works_without_jit
    verdict = check(quick, lesson, RAISING)

    assert not verdict.works_without_jit
    assert "raised" == verdict.status
    assert verdict.diagnosis is not None
    assert "traced-bool-in-ternary" == verdict.diagnosis.cause


# ---------------------------------------------------------------- cancelling


def test_a_cancelled_check_has_no_verdict(checker: Checker, lesson: Lesson) -> None:
    """A cancelled check has no verdict."""
    cancel = Cancel()
    timer = threading.Timer(0.5, cancel)
    timer.start()
    source = "import time\ntime.sleep(500)\n" + SOLUTION
    verdict = checker.check(lesson, source, lesson.folder.parent / "mine.py", cancel)
    timer.join()
    cancel.close()

    assert verdict is None


def test_a_check_is_cancelled_while_it_waits_for_the_solution(
    checker: Checker, lesson: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check can be cancelled while it waits for the solution."""
    cancel, go_on = Cancel(), threading.Event()
    run = checker.runner.run

    def slow(request: CheckRequest | DevicesRequest, *args: Any, **kwargs: Any) -> Outcome:
        if isinstance(request, CheckRequest) and request.file.endswith("solution.py"):
            cancel()
            go_on.wait(60)
        return run(request, *args, **kwargs)

    monkeypatch.setattr(checker.runner, "run", slow)
    verdict = checker.check(lesson, SOLUTION, lesson.folder.parent / "mine.py", cancel)
    go_on.set()
    cancel.close()

    assert verdict is None


@pytest.mark.parametrize("name", [b"caf\xe9\xff.py", b"\x1b[2J.py", b"new\nline.py"])
def test_a_file_of_any_name_gets_its_diagnosis(
    checker: Checker, lesson: Lesson, name: bytes
) -> None:
    """A submission in a file whose name is not valid text is still diagnosed at its line."""
    verdict = checker.check(lesson, RAISING, lesson.folder.parent / os.fsdecode(name))

    assert verdict is not None
    assert verdict.diagnosis is not None
    assert "traced-bool-in-ternary" == verdict.diagnosis.cause
