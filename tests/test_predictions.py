"""Tests predictions: how answers are read, and that running the program decides."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxtutor.app import App
from jaxtutor.checks.predictions import find_answer, find_problem
from jaxtutor.cli import run
from jaxtutor.commands.predictions import ask_first
from jaxtutor.core.data.facts import Outcome, PredictFacts
from jaxtutor.core.data.lessons import LessonError, read_info
from jaxtutor.core.data.predictions import Asks, Question, read_answer
from jaxtutor.core.data.requests import PredictRequest
from jaxtutor.errors import CourseError
from jaxtutor.options import Options
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.spawn import Kind
from jaxtutor.processes.templates import Templates
from json_page import broken_promises
from trials.sample_lessons import INFO, make_lesson

SHAPE = """
[[predict]]
asks = "shape"
of = "y"
code = "y = jnp.ones((2, 3)).sum(axis=1)"
answer = "(2,)"
why = "Axis 1 goes, and axis 0 stays."
"""


# ---------------------------------------------------------------- typed answers


@pytest.mark.parametrize(
    ("asks", "text", "expected"),
    [
        ("shape", "(2, 3)", "(2, 3)"),
        ("shape", " 2,3 ", "(2, 3)"),
        ("shape", "[2 x 3]", "(2, 3)"),
        ("shape", "2x3", "(2, 3)"),
        ("shape", "5", "(5,)"),
        ("shape", "(5,)", "(5,)"),
        ("shape", "()", "()"),
        ("shape", "scalar", "()"),
        ("shape", "(2, -1)", None),
        ("shape", "many", None),
        ("shape", "", None),
        ("dtype", "Float32", "float32"),
        ("dtype", "jnp.bfloat16", "bfloat16"),
        ("dtype", "f32", "float32"),
        ("dtype", "bool_", "bool"),
        ("dtype", "float8_e4m3fn", "float8_e4m3fn"),
        ("dtype", "number", None),
        ("dtype", "3", None),
        ("traces", "Yes", "yes"),
        ("traces", "no, it raises", "no"),
        ("traces", "perhaps", None),
        ("count", "3", "3"),
        ("count", "03", "3"),
        ("count", "twice", "2"),
        ("count", "-1", None),
        ("count", "9" * 400, None),
        ("count", "\x1b[31m2", None),
    ],
)
def test_answers_are_understood(asks: Asks, text: str, expected: str | None) -> None:
    """Answers are read in the usual notations, and anything else is refused."""
    assert expected == read_answer(asks, text)


def test_a_question_in_words() -> None:
    """A question uses the lesson's sentence, or the default of its kind."""
    assert "What is the dtype of `y`?" == Question("dtype", "y = 1", "y", "int32", "So.").sentence
    assert "Well?" == Question("dtype", "y = 1", "y", "int32", "So.", "Well?").sentence


@pytest.mark.parametrize(
    "change",
    [
        ('asks = "shape"', 'asks = "colour"'),
        ('of = "y"', 'of = ""'),
        ('why = "Axis 1 goes, and axis 0 stays."', ""),
        ('answer = "(2,)"', "answer = 2"),
        ('of = "y"', 'of = "y"\nhint = "no"'),
    ],
)
def test_a_question_that_is_none_is_refused(change: tuple[str, str]) -> None:
    """An invalid question is refused when the lesson is read."""
    with pytest.raises(LessonError, match=r"lesson\.toml"):
        read_info(INFO + SHAPE.replace(*change))


# ---------------------------------------------------------------- running the program


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    """Return a runner of workers."""
    made = Runner(templates=Templates())
    yield made
    made.close()


def true_of(runner: Runner, asks: Asks, code: str, of: str) -> PredictFacts:
    outcome: Outcome = runner.run(PredictRequest(asks, code, of), Kind("cpu"))
    (facts,) = [event for event in outcome.events if isinstance(event, PredictFacts)]
    return facts


JITTED = "@jax.jit\ndef f(x):\n    {}\n    return x\n"


@pytest.mark.parametrize(
    ("asks", "code", "of", "expected"),
    [
        ("shape", "x = jnp.ones((2, 3))", "x.T", ("(3, 2)", "float32[3,2]")),
        ("dtype", "x = jnp.arange(3)", "x / 2", ("float32", "float32[3]")),
        ("traces", JITTED.format("assert x.ndim"), "f(jnp.ones(2))", ("yes", "")),
        ("traces", JITTED.format("assert x > 0"), "f(1.0)", ("no", "TracerBoolConversionError")),
        ("count", JITTED.format("...") + "f(1.0), f(2.0), f(jnp.ones(2))", "f", ("2", "")),
    ],
)
def test_a_program_is_run(
    runner: Runner, asks: Asks, code: str, of: str, expected: tuple[str, str]
) -> None:
    """The answer comes from running the program."""
    facts = true_of(runner, asks, code, of)
    assert expected == (facts.answer, facts.detail)


def test_a_program_that_fails_has_no_answer(runner: Runner) -> None:
    """An exception in the program is reported instead of an answer."""
    facts = true_of(runner, "shape", "x = nothing", "x")
    assert facts.failure is not None
    assert ("", "NameError") == (facts.answer, facts.failure.error_class)


# ---------------------------------------------------------------- the command


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a course with one lesson that has a question and one that has none."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("JAXTUTOR_TRUST_COURSE", "yes")
    folder = tmp_path / "course" / "01_basics"
    make_lesson(folder / "01_asks", {"lesson.toml": INFO + SHAPE})
    make_lesson(folder / "02_asks_not", {})
    return tmp_path / "course"


def test_the_questions_as_json(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON lists the questions without their answers."""
    status = run(["predict", "asks", "--json", "--course", str(course)])
    report = json.loads(capsys.readouterr().out)

    assert (0, []) == (status, broken_promises(report, "predict"))
    assert "(2,)" not in json.dumps(report)


@pytest.mark.parametrize(("answer", "expected"), [("2", 0), ("(2, 3)", 1)])
def test_an_answer_is_judged(
    course: Path, capsys: pytest.CaptureFixture[str], answer: str, expected: int
) -> None:
    """An answer is judged by running the program, and the exit status says whether it is right."""
    status = run(["predict", "asks", "--json", "--answer", answer, "--course", str(course)])
    report = json.loads(capsys.readouterr().out)

    assert (expected, []) == (status, broken_promises(report, "predict-answer"))
    assert ("(2,)", "float32[2]") == (report["actual"], report["detail"])


@pytest.mark.parametrize(
    "arguments",
    [["asks", "--answer", "perhaps"], ["asks", "--question", "2"], ["asks", "--question", "0"]],
)
def test_what_is_no_answer_is_wrong_usage(course: Path, arguments: list[str]) -> None:
    """An invalid answer is a usage error, and nothing runs."""
    assert 2 == run(["predict", *arguments, "--course", str(course)])


def test_a_lesson_without_questions_says_so(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A lesson without questions is not a failure, and the message names the lessons with some."""
    assert 0 == run(["predict", "asks-not", "--course", str(course)])
    says = " ".join(capsys.readouterr().out.split())
    assert "asks-not has no prediction questions. These lessons have some: 1.1 asks" in says


@pytest.fixture
def app(course: Path) -> Iterator[App]:
    """Return the environment of a command on that course."""
    made = App(Options(course=course, plain=True), stdout=io.StringIO())
    yield made
    made.close()


def test_a_question_is_asked_once_before_a_lesson(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question that was skipped is not asked again."""
    lesson = app.course.find("asks")
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\n"))
    ask_first(app, lesson)
    first = app.stdout.getvalue()  # type: ignore[attr-defined]
    ask_first(app, lesson)

    assert 1 == first.count("What is the shape of `y`?")
    assert first == app.stdout.getvalue()  # type: ignore[attr-defined]


def test_the_gate_runs_the_program(course: Path, app: App) -> None:
    """A wrong answer in a lesson fails its gate."""
    toml = course / "01_basics" / "01_asks" / "lesson.toml"
    assert "" == find_problem(app.checker, app.course.find("asks"))
    toml.write_text(INFO + SHAPE.replace('"(2,)"', '"(3,)"'))
    again = App(Options(course=course)).course.find("asks")
    assert "question 1: the answer is (2,), not (3,)" == find_problem(app.checker, again)


def test_a_broken_question_is_the_lesson_s_fault(course: Path, app: App) -> None:
    """A broken question is reported as the lesson's fault."""
    with pytest.raises(CourseError, match="raises NameError"):
        find_answer(app.checker, app.course.find("asks"), Question("shape", "y", "y", "()", "So."))
