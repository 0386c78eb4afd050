"""Runs the gates of a lesson: the conditions it must meet before it is published.

The tests and `jaxtutor lesson test` both run these, through the same worker that serves learners.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import StringIO
from itertools import combinations
from pathlib import Path

from jaxtutor.checking.known_mistakes import learn
from jaxtutor.checking.lesson_check import Checker
from jaxtutor.checking.predictions import find_problem as find_prediction_problem
from jaxtutor.content.course import Course, Lesson, unpacked
from jaxtutor.core.data.lessons import (
    MORE_PITFALLS,
    SECTIONS,
    Block,
    Expectation,
    read_blocks,
    read_sections,
)
from jaxtutor.core.data.model import BlockFacts, Failure, ProseRequest, Verdict
from jaxtutor.core.judging.judge import own_seconds, pick
from jaxtutor.core.judging.recognition import is_same, is_telling
from jaxtutor.core.judging.syntax import find_syntax_error
from jaxtutor.errors import CourseError

REQUIRED = ("lesson.toml", "lesson.md", "starter.py", "solution.py", "checks.py")
FOLDERS = ("mistakes", "also")
LEAST_HINTS = 3
COLUMNS, MOST_ROWS = 80, 60
"""The task of a lesson begins so soon: two and a half screens are what people read before they
begin to skim."""
ROWS_ABOVE = 1
"""What `show` draws above the page: the lesson's place in the course."""
PROSE_SECONDS = 60.0


@dataclass(frozen=True)
class Gate:
    """One condition on a lesson; `problem` is empty if it is met."""

    lesson: str
    name: str
    problem: str

    @property
    def holds(self) -> bool:
        """Return whether there is nothing to mend."""
        return not self.problem


Work = Callable[[], Gate]


def run_gates(
    course: Course, lessons: tuple[Lesson, ...], checker: Checker, jobs: int = 2
) -> Iterator[Gate]:
    """Run every gate of these lessons, `jobs` at a time; yield them in order."""
    works = [work for lesson in lessons for work in _works(course, lesson, checker)]
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        yield from pool.map(lambda work: work(), works)


def _works(course: Course, lesson: Lesson, checker: Checker) -> Iterator[Work]:
    def gate(name: str, find: Callable[[], str]) -> Work:
        return lambda: Gate(lesson.slug, name, _guarded(find))

    yield gate("files", lambda: find_file_problem(lesson))
    if find_file_problem(lesson):
        return
    yield gate("lesson.toml", lambda: find_info_problem(course, lesson))
    yield gate("hints", lambda: find_hint_problem(lesson))
    yield gate("page", lambda: find_page_problem(lesson))
    yield gate("format", lambda: find_format_problem(lesson))
    yield gate("solution", lambda: find_solution_problem(lesson, checker))
    yield gate("starter", lambda: find_starter_problem(lesson, checker))
    yield gate("prose", lambda: find_prose_problem(lesson, checker))
    if _predicts(lesson):
        yield gate("predict", lambda: find_prediction_problem(checker, lesson))
    for path in lesson.alternatives():
        yield gate(f"also/{path.name}", lambda path=path: find_also_problem(lesson, checker, path))  # type: ignore[misc]
    verdicts: dict[Path, Verdict] = {}

    def check(path: Path) -> Verdict:
        if path not in verdicts:
            verdicts[path] = _check(lesson, checker, path)
        return verdicts[path]

    for path, expectation in _guarded_mistakes(lesson):
        yield gate(
            f"mistakes/{path.name}",
            lambda path=path, wanted=expectation: find_mistake_problem(  # type: ignore[misc]
                check(path), wanted
            ),
        )
    # After the mistakes: it looks at what they answered, and checks none of them again.
    yield gate("sentences", lambda: find_sentence_problem(lesson, check))
    yield gate("hints for failures", lambda: find_target_problem(lesson, checker.causes, check))


def _guarded(find: Callable[[], str]) -> str:
    try:
        return find()
    except CourseError as error:
        return error.message


def _predicts(lesson: Lesson) -> bool:
    """Return whether a lesson asks for a prediction; one that cannot be read fails another gate."""
    try:
        return bool(lesson.info.predict)
    except CourseError:
        return False


def _guarded_mistakes(lesson: Lesson) -> list[tuple[Path, Expectation]]:
    try:
        return list(lesson.mistakes())
    except CourseError:
        return []


# ---------------------------------------------------------------- gates without a process


def find_file_problem(lesson: Lesson) -> str:
    """All required files exist, and no others."""
    present = {unpacked(path.name) for path in lesson.folder.iterdir() if path.is_file()}
    missing = [name for name in REQUIRED if name not in present]
    if missing:
        return f"{', '.join(missing)} is missing"
    # It raises CourseError when a first line does not say what it must.
    if not list(lesson.mistakes()):
        return "mistakes/ holds no wrong submission"
    stray = [path.name for path in lesson.folder.iterdir() if not _belongs(path)]
    stray += [
        f"{name}/{path.name}"
        for name in FOLDERS
        for path in (lesson.folder / name).glob("*")
        if not unpacked(path.name).endswith(".py") and path.name != "__pycache__"
    ]
    return f"{', '.join(stray)} does not belong here" if stray else ""


def _belongs(path: Path) -> bool:
    return unpacked(path.name) in (*REQUIRED, *FOLDERS, "__pycache__")


def find_info_problem(course: Course, lesson: Lesson) -> str:
    """`lesson.toml` is complete; prerequisites exist and come earlier; the slug is unique."""
    slugs = [other.slug for other in course.lessons]
    if slugs.count(lesson.slug) > 1:
        return "another lesson has the same name"
    earlier = slugs[: slugs.index(lesson.slug)]
    later = [name for name in lesson.info.requires if name not in earlier]
    if later:
        return f"it requires {', '.join(later)}, which does not come earlier"
    return ""


def find_hint_problem(lesson: Lesson) -> str:
    """There are at least three rungs, none empty, and none but the last gives a line away."""
    hints = lesson.info.hints
    if len(hints) < LEAST_HINTS:
        return f"there are {len(hints)} hints; at least {LEAST_HINTS} are needed"
    if any(not hint.strip() for hint in hints):
        return "a hint is empty"
    for hint in (*hints[:-1], *(hint.text for hint in lesson.info.hint)):
        for line in _telling_lines(lesson.solution):
            if line in " ".join(hint.split()):
                return f"a hint before the last gives this line of the solution away: {line}"
    return ""


def _telling_lines(source: str) -> Iterator[str]:
    """Yield the statements inside functions, as single lines: what a learner has to find."""
    if find_syntax_error(source, "solution.py"):
        return  # it does not pass either, and that says more
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            for statement in ast.walk(function):
                if isinstance(statement, ast.Return | ast.Assign) and statement.value:
                    text = ast.unparse(statement.value)
                    if len(text) > 12:
                        yield text


def find_page_problem(lesson: Lesson) -> str:
    """The page has its sections in order, and the problem shows two examples."""
    sections = read_sections(lesson.page)
    if tuple(title for title in sections if title != MORE_PITFALLS) != SECTIONS:
        return f"its sections are {', '.join(sections)}; expected {', '.join(SECTIONS)}"
    if lesson.info.title not in lesson.page.partition("\n")[0]:
        return f"its first line is not the title, {lesson.info.title!r}"
    if "```python" not in sections["Problem"]:
        return "the problem shows no examples"
    rows = rows_before_problem(lesson.page)
    if rows > MOST_ROWS:
        return f"the problem begins at row {rows} of {COLUMNS} columns; the limit is {MOST_ROWS}"
    return ""


def rows_before_problem(page: str) -> int:
    """Count the rows of a terminal of 80 columns above the heading of the problem."""
    from rich.console import Console

    from jaxtutor.display.markdown import make_page

    console = Console(file=StringIO(), width=COLUMNS, color_system=None)
    with console.capture() as captured:
        console.print(make_page(page.partition("\n## Problem\n")[0], plain=False))
    return ROWS_ABOVE + len(captured.get().splitlines())


def find_ruff() -> str | None:
    """Find ruff beside this Python, which need not be on the path, or else on it."""
    places = (str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath))
    return shutil.which("ruff", path=os.pathsep.join(places))


def find_format_problem(lesson: Lesson) -> str:
    """The code that a learner reads is formatted, as far as ruff is installed to check it."""
    ruff = find_ruff()
    if ruff is None:
        return ""
    files = [str(lesson.folder / name) for name in ("starter.py", "solution.py", "checks.py")]
    command = [ruff, "format", "--check", "--quiet", "--line-length", "100", *files]
    done = subprocess.run(command, capture_output=True, check=False)
    return "" if done.returncode == 0 else "not formatted: run `ruff format` on it"


# ---------------------------------------------------------------- gates that run something


def find_target_problem(
    lesson: Lesson, causes: Collection[str], check: Callable[[Path], Verdict]
) -> str:
    """Each `[[hint]]` is for a check of the lesson, a cause, or the reason of a call."""
    if not lesson.info.hint:
        return ""
    verdict = check(lesson.folder / "solution.py")
    checks = {result.name for result in verdict.checks}
    tree = ast.parse(lesson.read("checks.py"))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    for hint in lesson.info.hint:
        if hint.when not in checks and hint.when not in causes and hint.when not in texts:
            return f"a hint is for {hint.when!r}, which is not a check, a cause or a reason here"
    return ""


def find_sentence_problem(lesson: Lesson, check: Callable[[Path], Verdict]) -> str:
    """Mistakes that answer alike have the same sentence; only checked mistakes have one."""
    for path, expectation in lesson.mistakes():
        if expectation.says and expectation.check is None:
            return f"mistakes/{path.name} raises, and only wrong answers have a sentence"
    pairs = [
        f"{one.name} and {other.name}"
        for one, other in combinations(learn(lesson, check), 2)
        if is_telling(one.answers)
        and one.says != other.says
        and is_same(one.answers, other.answers, lesson.info.tolerance)
    ]
    return f"these answer alike, but their sentences differ: {', '.join(pairs)}" if pairs else ""


def _check(lesson: Lesson, checker: Checker, path: Path) -> Verdict:
    source = lesson.read(str(path.relative_to(lesson.folder)))
    verdict = checker.check(lesson, source, path)
    assert verdict is not None, "nothing cancels this check"
    return verdict


def find_solution_problem(lesson: Lesson, checker: Checker) -> str:
    """The solution passes, within the time it leaves to learners."""
    verdict = _check(lesson, checker, lesson.folder / "solution.py")
    if verdict.status != "passed":
        return f"it does not pass: {_story(verdict)}"
    if verdict.findings:
        return f"it has findings, such as {verdict.findings[0].cause}; a solution must have none"
    seconds = own_seconds(checker.reference(lesson))
    if seconds > lesson.info.needs.seconds:
        return f"it takes {seconds:.1f} s; {lesson.info.needs.seconds:g} s are allowed"
    return ""


def find_starter_problem(lesson: Lesson, checker: Checker) -> str:
    """The starter does not pass, holds one TODO, and is Python."""
    if lesson.starter.count("TODO") != 1:
        return "it must hold one TODO"
    verdict = _check(lesson, checker, lesson.folder / "starter.py")
    if verdict.status in ("passed", "lesson_at_fault", "crashed", "timed_out"):
        return f"it {verdict.status.replace('_', ' ')}: {verdict.headline}"
    if verdict.checks and verdict.checks[0].name == "syntax":
        return verdict.headline
    return ""


def find_also_problem(lesson: Lesson, checker: Checker, path: Path) -> str:
    """Another right solution is accepted."""
    verdict = _check(lesson, checker, path)
    return "" if verdict.status == "passed" else f"it does not pass: {_story(verdict)}"


def find_mistake_problem(verdict: Verdict, expectation: Expectation) -> str:
    """A known wrong submission gets the expected cause and line, or fails the expected check."""
    if verdict.status in ("passed", "lesson_at_fault"):
        return f"it {verdict.status.replace('_', ' ')}: {verdict.headline}"
    failed = next((check.name for check in verdict.checks if check.status == "failed"), "")
    if expectation.check is not None:
        if failed == expectation.check:
            return ""
        return f"expected the check {expectation.check}, got {failed}: {_story(verdict)}"
    made = [verdict.diagnosis] if verdict.diagnosis else list(verdict.findings)
    named = [f"{it.cause} at {it.span.line if it.span else None}" for it in made]
    wanted = f"{expectation.cause} at {expectation.line}"
    if wanted in named:
        return ""
    return f"expected {wanted}, got {', '.join(named) or 'no diagnosis'}: {_story(verdict)}"


def find_prose_problem(lesson: Lesson, checker: Checker) -> str:
    """Every Python block of the page runs and does what its fence says."""
    blocks = read_blocks(lesson.page)
    request = ProseRequest(str(lesson.folder / "lesson.md"), blocks)
    outcome = checker.runner.run(request, checker.kind(lesson), PROSE_SECONDS)
    facts = {fact.line: fact for fact in pick(outcome, BlockFacts)}
    for block in blocks:
        if block.line not in facts:
            return f"the block at line {block.line} did not end: {outcome.end} {outcome.end_detail}"
        problem = _block_problem(block, facts[block.line].failure)
        if problem:
            return f"the block at line {block.line} {problem}"
    return ""


def _block_problem(block: Block, failure: Failure | None) -> str:
    if failure is None:
        return f"did not raise {block.raises}" if block.raises else ""
    if block.raises is None:
        return f"raised {failure.error_class}: {failure.message}"
    if block.raises.rpartition(".")[2] != failure.error_class:
        return f"raised {failure.error_class}, not {block.raises}"
    return ""


def _story(verdict: Verdict) -> str:
    failed = next((check for check in verdict.checks if check.status == "failed"), None)
    where = f"{failed.name}: {failed.detail}" if failed else verdict.headline
    return f"{verdict.status}, {where}"
