"""Runs the gates of a lesson: the conditions it must meet before it is published.

The tests and `jaxtutor lesson test` both run these, through the same worker that serves learners.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from jaxtutor.checks.known_mistakes import learn
from jaxtutor.checks.lesson_check import Checker
from jaxtutor.checks.predictions import find_problem as find_prediction_problem
from jaxtutor.content.cause_pages import Library
from jaxtutor.content.course import Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.data.facts import BlockFacts
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.lessons import Block, Expectation, read_blocks
from jaxtutor.core.data.requests import ProseRequest
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.judging.outcomes import own_seconds, pick
from jaxtutor.core.judging.properties import SHAPE, STRUCTURE
from jaxtutor.core.judging.recognition import is_same, is_telling
from jaxtutor.core.judging.relations.advice import ADVICE
from jaxtutor.grading import text_gates
from jaxtutor.grading.gate import Finding, Gate, GateProblem, Skipped, find_line, guarded
from jaxtutor.processes.environment import refuse_environment
from jaxtutor.system.packages import describe_missing, install_command

PROSE_SECONDS = 60.0

OTHER_GATES = "other gates"
"""Stands for all gates of a lesson that cannot run."""

KINDS = frozenset({SHAPE, STRUCTURE, *ADVICE})
"""How an answer may be wrong: a hint may be for each of these."""

Work = Callable[[], Gate]


def run_gates(
    course: Course,
    lessons: tuple[Lesson, ...],
    checker: Checker,
    jobs: int = 2,
    only: str = "",
) -> Iterator[Gate]:
    """Run the gates of these lessons, `jobs` at a time; yield them in order.

    `only` is a part of the names of the gates to run: "mistakes/" or "also/other.py".
    """
    works = [
        work
        for lesson in lessons
        for name, work in _works(course, lesson, checker)
        if only in name or name == OTHER_GATES
    ]
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        yield from pool.map(lambda work: work(), works)


def _works(course: Course, lesson: Lesson, checker: Checker) -> Iterator[tuple[str, Work]]:
    """Yield the gates of a lesson by name; none of them has run."""

    def gate(name: str, find: Callable[[], Finding]) -> tuple[str, Work]:
        return name, lambda: Gate(lesson, name, guarded(find))

    first: dict[str, Callable[[], Finding]] = {
        "files": lambda: text_gates.find_file_problem(lesson),
        "lesson.toml": lambda: text_gates.find_info_problem(course, lesson),
        "syntax": lambda: text_gates.find_program_problem(lesson),
    }
    for name, find in first.items():
        yield gate(name, find)
        if _is_broken(name, lesson, find):
            yield gate(OTHER_GATES, lambda name=name: Skipped(f"{name} comes first"))  # type: ignore[misc]
            return
    yield gate("placeholders", lambda: text_gates.find_placeholder_problem(lesson))
    yield gate("chapter", lambda: text_gates.find_chapter_problem(lesson))
    if lesson.is_step:
        yield gate("growth", lambda: text_gates.find_growth_problem(lesson))
    yield gate("hints", lambda: text_gates.find_hint_problem(lesson))
    yield gate("page", lambda: text_gates.find_page_problem(lesson))
    yield gate("format", lambda: text_gates.find_format_problem(lesson))
    if lesson.missing:
        yield gate(OTHER_GATES, lambda: _skip_for_packages(lesson))
        return
    verdicts: dict[Path, Verdict] = {}
    wanted = dict(lesson.mistakes())
    quick = replace(checker, stops_early=True)

    def check(path: Path) -> Verdict:
        if path not in verdicts:
            names_a_check = path in wanted and wanted[path].check is not None
            verdicts[path] = _check(lesson, quick if names_a_check else checker, path)
        return verdicts[path]

    yield gate("solution", lambda: find_solution_problem(lesson, checker, check))
    yield gate("starter", lambda: find_starter_problem(lesson, quick))
    yield gate("prose", lambda: find_prose_problem(lesson, checker))
    if lesson.info.predict:
        yield gate("predict", lambda: _find_predict_problem(checker, lesson))
    for path in lesson.alternatives():
        yield gate(f"also/{path.name}", lambda path=path: find_also_problem(lesson, checker, path))  # type: ignore[misc]
    for path, expectation in wanted.items():
        yield gate(
            f"mistakes/{path.name}",
            lambda path=path, expectation=expectation: find_mistake_problem(  # type: ignore[misc]
                check(path), expectation, f"mistakes/{path.name}"
            ),
        )
    # After the mistakes: these look at their verdicts, and check none of them again.
    yield gate("sentences", lambda: find_sentence_problem(lesson, check))
    yield gate("hints for failures", lambda: find_target_problem(lesson, checker.causes, check))


def _skip_for_packages(lesson: Lesson) -> Skipped:
    needed = describe_missing(lesson.missing)
    return Skipped(f"the lesson needs {needed}: {install_command(lesson.missing)}")


def _is_broken(name: str, lesson: Lesson, find: Callable[[], Finding]) -> bool:
    """Return whether no other gate can run: a file is missing, or cannot be read."""
    if name == "lesson.toml":  # its other problems do not concern the other gates
        return bool(lesson.fault)
    return guarded(find) is not None


def _find_predict_problem(checker: Checker, lesson: Lesson) -> Finding:
    says = find_prediction_problem(checker, lesson)
    line = find_line(lesson.read("lesson.toml"), "[[predict]]")
    return GateProblem(says, "lesson.toml", line) if says else None


# ---------------------------------------------------------------- gates that run something


def find_target_problem(
    lesson: Lesson, causes: Collection[str], check: Callable[[Path], Verdict]
) -> Finding:
    """Each `[[hint]]` is for a check, a kind of wrong answer, a cause, a class or a reason."""
    if not lesson.info.hint:
        return None
    verdict = check(lesson.folder / "solution.py")
    checks = {result.name for result in verdict.checks}
    tree = ast.parse(lesson.read("checks.py"))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    known = {*checks, *causes, *texts, *KINDS}
    for hint in lesson.info.hint:
        if hint.when not in known and not _is_error_class(hint.when):
            says = f"a hint is for {hint.when!r}, which is not a check, a cause, an error class"
            line = find_line(lesson.read("lesson.toml"), f'"{hint.when}"', "[[hint]]")
            names = ", ".join(sorted(checks))
            return GateProblem(f"{says} or a reason here; the checks: {names}", "lesson.toml", line)
    return None


def _is_error_class(name: str) -> bool:
    """Return whether a name is an exception of Python, or one of JAX with a page."""
    found = getattr(builtins, name, None)
    is_builtin = isinstance(found, type) and issubclass(found, BaseException)
    return is_builtin or name in Library().classes


def find_sentence_problem(lesson: Lesson, check: Callable[[Path], Verdict]) -> Finding:
    """Mistakes that answer alike have the same sentence; only checked mistakes have one."""
    for path, expectation in lesson.mistakes():
        if expectation.says and expectation.check is None:
            says = "it raises, and only wrong answers have a sentence"
            return GateProblem(says, f"mistakes/{path.name}", 2)
    pairs = [
        (one.name, other.name)
        for one, other in combinations(learn(lesson.mistakes(), check), 2)
        if is_telling(one.answers)
        and one.says != other.says
        and is_same(one.answers, other.answers, lesson.info.tolerance)
    ]
    if not pairs:
        return None
    names = ", ".join(f"{one} and {other}" for one, other in pairs)
    says = f"these answer alike, but their sentences differ: {names}"
    return GateProblem(says, f"mistakes/{pairs[0][1]}.py", 2)


def _check(lesson: Lesson, checker: Checker, path: Path) -> Verdict:
    source = lesson.read(str(path.relative_to(lesson.folder)))
    verdict = checker.check(lesson, source, path)
    assert verdict is not None, "nothing cancels this check"
    return verdict


def find_solution_problem(
    lesson: Lesson, checker: Checker, check: Callable[[Path], Verdict]
) -> Finding:
    """The solution passes, within the time it leaves to learners."""
    checker.reference(lesson)  # first, so that the check finds its compiled programs
    verdict = check(lesson.folder / "solution.py")
    if verdict.status != "passed":
        return _not_passed(verdict, "solution.py")
    found = (*verdict.findings, *verdict.beside)
    if found:
        finding = found[0]
        says = f"it has findings, such as {finding.cause}; a solution must have none"
        return GateProblem(says, "solution.py", finding.span.line if finding.span else None)
    seconds = own_seconds(checker.reference(lesson))
    if seconds > lesson.info.needs.seconds:  # the cached answers may be those of a busy hour
        seconds = own_seconds(checker.renew_reference(lesson))
    if seconds > lesson.info.needs.seconds:
        says = f"it takes {seconds:.1f} s; {lesson.info.needs.seconds:g} s are allowed"
        return GateProblem(says, "solution.py")
    return None


def find_starter_problem(lesson: Lesson, checker: Checker) -> Finding:
    """The starter does not pass, holds one TODO, and is Python."""
    if lesson.addition.count("TODO") != 1:
        return GateProblem(
            "it must hold one TODO", "starter.py", find_line(lesson.addition, "TODO")
        )
    verdict = checker.check(lesson, lesson.starter, lesson.folder / "starter.py")
    assert verdict is not None, "nothing cancels this check"
    if verdict.status in ("passed", "lesson_at_fault", "crashed", "timed_out"):
        return GateProblem(f"{_ending(verdict)}: {verdict.headline}", "starter.py")
    if verdict.checks and verdict.checks[0].name == "syntax":
        return GateProblem(verdict.headline, "starter.py", _line(verdict))
    return None


def find_also_problem(lesson: Lesson, checker: Checker, path: Path) -> Finding:
    """Another right solution is accepted."""
    verdict = _check(lesson, checker, path)
    return None if verdict.status == "passed" else _not_passed(verdict, f"also/{path.name}")


def _not_passed(verdict: Verdict, file: str) -> GateProblem:
    return GateProblem(f"it does not pass: {_story(verdict)}", file, _line(verdict))


def _line(verdict: Verdict) -> int | None:
    span = verdict.diagnosis.span if verdict.diagnosis else None
    return span.line if span else None


def _ending(verdict: Verdict) -> str:
    if verdict.status == "lesson_at_fault":
        return "the lesson is at fault"
    return f"it {verdict.status.replace('_', ' ')}"


def find_mistake_problem(verdict: Verdict, expectation: Expectation, file: str = "") -> Finding:
    """A known wrong submission gets the expected cause or error and line, or fails the check."""
    if verdict.status in ("passed", "lesson_at_fault"):
        return GateProblem(f"{_ending(verdict)}: {verdict.headline}", file, 1)
    failed = next((check.name for check in verdict.checks if check.status == "failed"), "")
    if expectation.check is not None:
        if failed == expectation.check:
            return None
        says = f"expected the check {expectation.check}, got {failed}: {_story(verdict)}"
        if expectation.check not in (names := [check.name for check in verdict.checks]):
            says += f"; the checks of this lesson are {', '.join(names)}"
        return GateProblem(says, file, 1)
    wanted = f"{expectation.cause} at {expectation.line}"
    named = _named(verdict)
    if wanted in named:
        return None
    says = f"expected {wanted}, got {', '.join(named) or 'no diagnosis'}: {_story(verdict)}"
    return GateProblem(says, file, 1)


def _named(verdict: Verdict) -> list[str]:
    """Return each cause with its line, and the class of what was raised."""
    made = [verdict.diagnosis] if verdict.diagnosis else list(verdict.findings)
    named = [f"{it.cause} at {it.span.line if it.span else None}" for it in made if it.cause]
    failure = verdict.failure
    if failure is not None and failure.frames:
        named.append(f"{failure.error_class} at {failure.frames[-1].span.line}")
    return named


def find_prose_problem(lesson: Lesson, checker: Checker) -> Finding:
    """Every Python block of the page runs and does what its fence says.

    What the problem shows are the calls of `EXAMPLES`, with the answers of the solution.
    """
    found = (*read_blocks(lesson.page), *_shown_block(lesson.page))
    blocks = tuple(sorted(found, key=lambda it: it.line))
    page = str(lesson.folder / "lesson.md")
    request = ProseRequest(page, blocks, lesson.info.function, lesson.solution)
    outcome = checker.runner.run(request, checker.kind(lesson), PROSE_SECONDS)
    refuse_environment(outcome)
    facts = {fact.line: fact for fact in pick(outcome, BlockFacts)}
    for block in blocks:
        problem = f"did not end: {outcome.end} {outcome.end_detail}"
        if block.line in facts:
            problem = _block_problem(block, facts[block.line].failure)
        if problem:
            return GateProblem(f"the block at line {block.line} {problem}", "lesson.md", block.line)
    return None


def _shown_block(page: str) -> tuple[Block, ...]:
    """Return what the problem shows as one block, which keeps the numbers of its lines."""
    before, _, rest = page.partition("\n## Problem\n")
    start = before.count("\n") + 2
    end = start + rest.partition("\n## ")[0].count("\n") + 1
    shown = [it for it in read_blocks(page, with_shown=True) if it.shown and start < it.line <= end]
    source = ""
    for block in shown:
        source += "\n" * (block.line - shown[0].line - source.count("\n")) + block.source
    return (Block(source, shown[0].line, shown=True),) if shown else ()


def _block_problem(block: Block, failure: Failure | None) -> str:
    if failure is None:
        return f"did not raise {block.raises}" if block.raises else ""
    if block.shown and failure.error_class == "Contradiction":
        return failure.message
    if block.raises is None:
        return f"raised {failure.error_class}: {failure.message}"
    if block.raises.rpartition(".")[2] != failure.error_class:
        return f"raised {failure.error_class}, not {block.raises}"
    return ""


def _story(verdict: Verdict) -> str:
    failed = next((check for check in verdict.checks if check.status == "failed"), None)
    where = f"{failed.name}: {failed.detail}" if failed else verdict.headline
    return f"{verdict.status}, {where}"
