"""Checks predictions: runs a question's program in a worker and compares the answer."""

from __future__ import annotations

from dataclasses import dataclass

from jaxtutor.checks.lesson_check import Checker
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.data.facts import PredictFacts
from jaxtutor.core.data.predictions import FORMS, Question, read_answer
from jaxtutor.core.data.requests import PredictRequest
from jaxtutor.core.judging.outcomes import pick
from jaxtutor.errors import CourseError, UsageError
from jaxtutor.processes.environment import refuse_environment

SECONDS = 30.0


@dataclass(frozen=True)
class PredictionResult:
    """The answer of a question's program; `detail` is its type, or the class that it raises."""

    answer: str
    detail: str


def find_answer(checker: Checker, lesson: Lesson, question: Question) -> PredictionResult:
    """Run a question's program. Raises CourseError if the program is broken."""
    request = PredictRequest(question.asks, question.code, question.of)
    outcome = checker.runner.run(request, checker.kind(lesson), SECONDS)
    refuse_environment(outcome)
    for facts in pick(outcome, PredictFacts):
        if facts.failure is None:
            return PredictionResult(facts.answer, facts.detail)
        why = f"{facts.failure.error_class}: {facts.failure.message.partition(chr(10))[0]}"
        raise CourseError(f"A question of {lesson.slug} is broken: its program raises {why}")
    why = f"{outcome.end.replace('_', ' ')} {outcome.end_detail}".strip()
    raise CourseError(f"A question of {lesson.slug} is broken: its program {why}")


def read(question: Question, text: str) -> str:
    """Parse a learner's text as an answer. Raises UsageError."""
    answer = read_answer(question.asks, text)
    if answer is None:
        form = FORMS[question.asks]
        raise UsageError(f"{text!r} is not an answer to this question.", f"Expected {form}.")
    return answer


def find_problem(checker: Checker, lesson: Lesson) -> str:
    """Describe what is wrong with a lesson's questions; empty if each has its stated answer."""
    for number, question in enumerate(lesson.info.predict, 1):
        stated = read_answer(question.asks, question.answer)
        if stated is None:
            return f"question {number}: {question.answer!r} is not {FORMS[question.asks]}"
        found = find_answer(checker, lesson, question)
        if read_answer(question.asks, found.answer) != stated:
            return f"question {number}: the answer is {found.answer}, not {question.answer}"
    return ""
