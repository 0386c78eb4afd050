"""Implements `predict`: asks a lesson's questions before coding, and runs them for the answers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import NOT_PASSED, PASSED
from jaxtutor.commands.printing import print_message
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.data.predictions import FORMS, Question
from jaxtutor.errors import StoreError, TutorError, UsageError

if TYPE_CHECKING:
    from jaxtutor.checks.predictions import PredictionResult
    from jaxtutor.core.reporting.outputs.learning import AskedQuestion


def predict(app: App, name: str | None, number: int, answer: str | None) -> int:
    """Ask a lesson's questions, or check the answer to one of them."""
    lesson = app.lesson(name)
    lesson.require_packages()
    questions = lesson.info.predict
    if not questions and not (app.options.json and answer is None):
        return print_message(app, lesson, _say_where(app, lesson))
    if questions and not 1 <= number <= len(questions):
        raise UsageError(
            f"{lesson.slug} has no question {number}.",
            f"Its questions are numbered 1 to {len(questions)}.",
        )
    if answer is not None:
        return _judge(app, lesson, number, answer)
    if app.options.json:
        from jaxtutor.core.reporting.outputs.learning import PredictOutput

        app.print_json(PredictOutput(lesson=lesson.slug, questions=_asked(questions)))
        return PASSED
    if app.interactive:
        right = [_converse(app, lesson, n) for n in _numbers(questions)]
        return PASSED if all(right) else NOT_PASSED
    for n in _numbers(questions):
        _print_question(app, lesson, n)
        app.console.print(f"Answer: jaxtutor predict {lesson.slug} --answer TEXT", style="quiet")
    return PASSED


def _say_where(app: App, lesson: Lesson) -> str:
    """Say that a lesson has no questions, and which lessons have some."""
    app.read_all_lessons()
    asking = [
        f"{it.number} {it.slug}"
        for it in app.course.every_lesson
        if not it.fault and it.info.predict
    ]
    where = f"These lessons have some: {', '.join(asking)}." if asking else "No lesson has any."
    return f"{lesson.slug} has no prediction questions. {where}"


def ask_first(app: App, lesson: Lesson) -> None:
    """Ask the questions not asked before; no failure here keeps the lesson from starting."""
    questions = lesson.info.predict
    if not questions:
        return
    try:
        new = [n for n in _numbers(questions) if n not in app.store.predicted(lesson.slug)]
        for n in new:
            _converse(app, lesson, n)
    except TutorError as error:
        app.warn(error.message, error.remedy)
        return
    if new:
        app.console.print("Press Enter to start the lesson.", style="quiet")
        sys.stdin.readline()


def _numbers(questions: tuple[Question, ...]) -> range:
    return range(1, len(questions) + 1)


def _asked(questions: tuple[Question, ...]) -> tuple[AskedQuestion, ...]:
    from jaxtutor.core.reporting.outputs.learning import AskedQuestion

    return tuple(
        AskedQuestion(n=n, asks=it.asks, says=it.sentence, code=it.code, of=it.of)
        for n, it in enumerate(questions, 1)
    )


# ---------------------------------------------------------------- one question


def _judge(app: App, lesson: Lesson, number: int, text: str) -> int:
    from jaxtutor.checks.predictions import find_answer, read

    question = lesson.info.predict[number - 1]
    answer = read(question, text)
    with app.waiting("Running the program"):
        found = find_answer(app.checker, lesson, question)
    right = answer == found.answer
    _record(app, lesson, number, answer, right)
    if app.options.json:
        from jaxtutor.core.reporting.outputs.learning import PredictAnswerOutput

        app.print_json(
            PredictAnswerOutput(
                lesson=lesson.slug,
                n=number,
                answer=answer,
                actual=found.answer,
                detail=found.detail,
                right=right,
                why=question.why,
            )
        )
    else:
        _print_found(app, question, found, answer)
    return PASSED if right else NOT_PASSED


def _converse(app: App, lesson: Lesson, number: int) -> bool:
    """Repeat the question until the answer can be parsed; an empty answer skips it."""
    question = lesson.info.predict[number - 1]
    _print_question(app, lesson, number)
    app.checker.prepare(lesson)  # start the worker while the learner thinks
    while True:
        form = FORMS[question.asks]
        app.stdout.write(f"Your prediction ({form}; Enter skips it): ")
        app.stdout.flush()
        text = sys.stdin.readline().strip()
        if not text:
            _record(app, lesson, number, "", False)
            return True
        try:
            return _judge(app, lesson, number, text) == PASSED
        except UsageError:
            app.console.print(f"Please type {form}.", style="mark")


def _print_question(app: App, lesson: Lesson, number: int) -> None:
    from jaxtutor.display.code import highlight
    from jaxtutor.display.theme import visible

    questions = lesson.info.predict
    question = questions[number - 1]
    count = f", question {number} of {len(questions)}" if len(questions) > 1 else ""
    app.console.print(f"Predict first: {lesson.slug}{count}", style="title")
    app.console.print(
        app.prose_renderer.prose(visible(question.sentence)), width=app.prose_renderer.width
    )
    app.console.print("jax, jnp and np are imported.", style="quiet")
    app.console.print()
    app.console.print(highlight(visible(question.code.strip("\n"))), width=app.prose_renderer.width)
    app.console.print()


def _print_found(app: App, question: Question, found: PredictionResult, answer: str) -> None:
    from rich.text import Text

    from jaxtutor.display.theme import visible

    right = answer == found.answer
    mark, style = (app.marks.passed, "passed") if right else (app.marks.failed, "failed")
    says = {
        ("traces", "yes"): "Yes, it traces",
        ("traces", "no"): f"No, it raises {found.detail}",
    }.get((question.asks, found.answer), f"It is {found.answer}")
    but = "" if right or question.asks == "traces" else f", not {answer}"
    app.console.print(Text.assemble((mark, style), visible(f" {says}{but}.")))
    app.console.print(
        app.prose_renderer.prose(visible(question.why)), width=app.prose_renderer.width
    )


def _record(app: App, lesson: Lesson, number: int, answer: str, right: bool) -> None:
    try:
        app.store.record_prediction(lesson.slug, number, answer, right)
    except StoreError as error:  # the question is asked again next time
        app.warn(error.message, error.remedy)
