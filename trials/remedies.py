"""Measures how many verdicts of the lessons' mistakes show what to do, without a key.

    python -m trials.remedies [COUNT] [--keep DIR]

Each mistake is checked once, or its verdict is read from DIR if it was kept there. It is then drawn
as below an editor that shows the file of the mistake and has one row of its own, as vim has. COUNT
mistakes are chosen at random; without it, all are measured.
"""

from __future__ import annotations

import argparse
import io
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec.structs import replace

from jaxtutor.checks.lesson_check import Checker
from jaxtutor.content.cause_pages import Library
from jaxtutor.content.lesson import Lesson
from jaxtutor.content.loading import load_course
from jaxtutor.core.data.lessons import Expectation
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.judging.recognition import read_answers
from jaxtutor.core.reporting.lead import split_advice, split_sentences
from jaxtutor.display.prose import WIDEST
from jaxtutor.display.render import Renderer
from jaxtutor.display.theme import FANCY, make_console
from jaxtutor.processes.runner import Runner
from jaxtutor.session import panel
from jaxtutor.session.panel_rows import Loan, choose_panel, limit_loan

SIZES = ((80, 24), (120, 40))
SEED = 17
EDITOR_ROWS = 1
HEADER = re.compile(r"# (expects|says):|# {4,}")


@dataclass(frozen=True)
class Mistake:
    """A known mistake of a lesson, and the verdict on it."""

    lesson: Lesson
    path: Path
    expected: Expectation
    verdict: Verdict

    @property
    def source(self) -> str:
        """The mistake as a learner would have written it, without its header."""
        text = self.lesson.read(f"mistakes/{self.path.name}")
        return "".join(line for line in text.splitlines(True) if not HEADER.match(line))

    @property
    def remedy(self) -> str:
        """What the verdict says that could be done; empty if nothing is known."""
        named = [one for one in (self.verdict.diagnosis, *self.verdict.findings) if one]
        if named and named[0].advice:
            return split_advice(named[0].advice)[1]
        return self.verdict.misconception


def draw(verdict: Verdict, source: str, columns: int, rows: int = 0) -> list[str]:
    """Return the lines of a panel, of which some rows are visible."""
    console = make_console(io.StringIO(), False, {})
    console.width = min(columns, WIDEST)
    renderer = Renderer(console, FANCY)
    offer = "Press F12 h for a hint."
    with console.capture() as capture:
        for part in panel.draw_verdict(renderer, verdict, source, offer, rows=rows):
            console.print(part)
    return capture.get().rstrip("\n").split("\n")


def visible_rows(lines: int, source: str, columns: int, rows: int) -> int:
    """Return how many lines of a verdict are visible below an editor that shows a source."""
    base = choose_panel(rows)
    used = sum(max(-(-len(line) // columns), 1) for line in source.splitlines())
    loan = Loan()
    loan.ask(lines + 1, check=1)
    empty = max(rows - base - used - EDITOR_ROWS, 0)
    return base - 1 + limit_loan(loan.step(base, empty), base, rows)


def shows(lines: Sequence[str], sentence: str) -> bool:
    """Return whether lines have a whole sentence."""
    return _plain(sentence) in _plain("".join(lines))


def _plain(text: str) -> str:
    return re.sub(r"[\s`]", "", text)


def measure(mistakes: Iterable[Mistake], columns: int, rows: int) -> Counter[str]:
    """Count the verdicts, those with a remedy, and those that show it."""
    counts: Counter[str] = Counter()
    for mistake in mistakes:
        counts["verdicts"] += 1
        if not mistake.remedy:
            continue
        count = len(draw(mistake.verdict, mistake.source, columns))
        room = visible_rows(count, mistake.source, columns, rows)
        seen = draw(mistake.verdict, mistake.source, columns, room)[:room]
        counts["remedy"] += 1
        counts["whole"] += all(shows(seen, one) for one in split_sentences(mistake.remedy))
    return counts


def choose(count: int | None) -> list[tuple[Lesson, Path, Expectation]]:
    """Return the mistakes of all lessons in a random order, or some of them."""
    course = load_course(None)
    every = [(lesson, *one) for lesson in course.lessons for one in lesson.mistakes()]
    random.Random(SEED).shuffle(every)
    return every[:count]


def check(
    checker: Checker, lesson: Lesson, path: Path, expected: Expectation, kept: Path
) -> Mistake:
    """Check a mistake unless that was kept, and add the sentence that a learner would get."""
    place = kept / f"{lesson.slug}--{path.stem}.bin"
    if place.exists():
        verdict = msgspec.msgpack.decode(place.read_bytes(), type=Verdict)
    else:
        checked = checker.check(lesson, lesson.read(f"mistakes/{path.name}"), path)
        assert checked is not None, "nothing cancels this check"
        verdict = checked
        place.write_bytes(msgspec.msgpack.encode(verdict))
    answers = read_answers(verdict)
    if expected.says and answers is not None and answers.check == expected.check:
        verdict = replace(verdict, misconception=expected.says)
    return Mistake(lesson, path, expected, verdict)


def main(arguments: Sequence[str]) -> None:
    """Measure, and print a line for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?")
    parser.add_argument("--keep", type=Path, metavar="DIR")
    parser.add_argument("--kept", action="store_true", help="measure only what is kept in DIR")
    given = parser.parse_args(arguments)
    runner = Runner()
    with tempfile.TemporaryDirectory() as folder:
        kept = given.keep or Path(folder)
        kept.mkdir(parents=True, exist_ok=True)
        checker = Checker(runner, Library(), Path(folder), programs=Path(folder) / "programs")
        chosen = choose(given.count)
        if given.kept:
            chosen = [it for it in chosen if (kept / f"{it[0].slug}--{it[1].stem}.bin").exists()]
        try:
            mistakes = [check(checker, *one, kept) for one in chosen]
        finally:
            runner.close()
    failed = [it for it in mistakes if it.verdict.status not in ("passed", "lesson_at_fault")]
    for columns, rows in SIZES:
        counts = measure(failed, columns, rows)
        print(
            f"{columns}x{rows}: {counts['verdicts']} verdicts, {counts['remedy']} with a remedy,"
            f" which is visible in {counts['whole'] / counts['remedy']:.1%}"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
