"""Measures what it adds to a verdict to say what a wrong answer is instead."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from time import thread_time

from benchmarks import Columns, Options, Row
from benchmarks.interleave import compare
from benchmarks.lessons import choose
from jaxtutor.checks.known_mistakes import learn
from jaxtutor.checks.lesson_check import Checker
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.judging.compare import compare as compare_values
from jaxtutor.core.judging.properties import relation_over
from jaxtutor.core.judging.recognition import read_answers, recognise
from jaxtutor.processes.runner import Runner

COLUMNS = Columns(
    "answers: relations and known mistakes, in the verdict on a wrong answer",
    floor="only comparing",
    notes=("CPU time, of the mistake of a lesson that takes longest; its answers are at hand.",),
)
LESSONS = ("piecewise", "batched-outer", "fixed-point", "kv-cache", "chunked-attention")
MOST_MISTAKES = 6
AIM = 5.0  # ms


def run(options: Options) -> Iterator[Row]:
    """Measure one row for each lesson."""
    with closing(Runner()) as runner:
        checker = Checker(runner, {}, options.home)
        for lesson in choose(options, LESSONS):
            yield _row(lesson, checker, options)


def _row(lesson: Lesson, checker: Checker, options: Options) -> Row:
    verdicts: list[Verdict] = []

    def check(path: Path) -> Verdict:
        verdict = checker.check(lesson, lesson.read(f"mistakes/{path.name}"), path)
        assert verdict is not None, "nothing cancels this check"
        verdicts.append(verdict)
        return verdict

    known = list(islice(learn(lesson.mistakes(), check), MOST_MISTAKES))
    wrong = [verdict for verdict in verdicts if read_answers(verdict) is not None]

    def explain() -> float:
        return max(map(one, wrong))

    def one(verdict: Verdict) -> float:
        started = thread_time()
        relation_over(verdict.cases)
        answers = read_answers(verdict)
        assert answers is not None
        recognise(answers, known, lesson.info.tolerance)
        return (thread_time() - started) * 1e3

    def only_compare() -> float:
        return max(map(compared, wrong))

    def compared(verdict: Verdict) -> float:
        started = thread_time()
        for case in verdict.cases:
            if case.expected is not None and case.actual is not None:
                compare_values(case.expected, case.actual, lesson.info.tolerance)
        return (thread_time() - started) * 1e3

    taken = compare(options.repeats, {"ours": explain, "floor": only_compare})
    return Row(name=lesson.slug, aim=AIM, **taken)
