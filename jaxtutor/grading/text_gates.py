"""Checks the gates of a lesson that run nothing: its files, its words and its form."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from jaxtutor.content.course import Chapter, Course
from jaxtutor.content.course_files import unpacked
from jaxtutor.content.lesson import Lesson
from jaxtutor.content.scaffold import find_placeholder
from jaxtutor.core.data.lessons import (
    MORE_PITFALLS,
    SECTIONS,
    SHORT_SECTIONS,
    put_task_first,
    read_sections,
)
from jaxtutor.core.judging.syntax import find_syntax_error
from jaxtutor.core.learning.growing import definitions, grow
from jaxtutor.errors import CourseError
from jaxtutor.grading.gate import Finding, GateProblem, Skipped, find_line

REQUIRED = ("lesson.toml", "lesson.md", "starter.py", "solution.py", "checks.py")
FOLDERS = ("mistakes", "also")
LEAST_HINTS = 3
COLUMNS, MOST_ROWS = 80, 40
"""The task of a lesson ends so soon, with its examples: one key shows all of it in a terminal of 24
rows."""
SCREEN = 24
"""Rows of the smallest usual terminal."""
ROWS_ABOVE = 1
"""What `show` draws above the page: the lesson's place in the course."""


def find_file_problem(lesson: Lesson) -> Finding:
    """All required files exist, and no others."""
    present = {unpacked(path.name) for path in lesson.folder.iterdir() if path.is_file()}
    missing = [name for name in REQUIRED if name not in present]
    if missing:
        return GateProblem(f"{', '.join(missing)} is missing")
    # It raises CourseError when a first line does not say what it must.
    if not list(lesson.mistakes()):
        return GateProblem("mistakes/ holds no wrong submission")
    stray = [path.name for path in lesson.folder.iterdir() if not _belongs(path)]
    stray += [
        f"{name}/{path.name}"
        for name in FOLDERS
        for path in (lesson.folder / name).glob("*")
        if not unpacked(path.name).endswith(".py") and path.name != "__pycache__"
    ]
    return GateProblem(f"{', '.join(stray)} does not belong here") if stray else None


def _belongs(path: Path) -> bool:
    return unpacked(path.name) in (*REQUIRED, *FOLDERS, "__pycache__")


def find_program_problem(lesson: Lesson) -> Finding:
    """`checks.py` and `solution.py` are Python: no other gate can run without them."""
    for name in ("checks.py", "solution.py"):
        error = find_syntax_error(lesson.read(name), name)
        if error:
            says = f"{error.error_class}: {error.message}"
            return GateProblem(says, name, error.frames[-1].span.line if error.frames else None)
    return None


def find_info_problem(course: Course, lesson: Lesson) -> Finding:
    """`lesson.toml` is complete; prerequisites exist and come earlier; the slug is unique."""
    slugs = [other.slug for other in course.every_lesson]
    if slugs.count(lesson.slug) > 1:
        return GateProblem("another lesson has the same name")
    earlier = slugs[: slugs.index(lesson.slug)]
    later = [name for name in lesson.info.requires if name not in earlier]
    if later:
        says = f"it requires {', '.join(later)}, which does not come earlier"
        return _in_info(lesson, says, f'"{later[0]}"', "requires")
    return None


def _in_info(lesson: Lesson, says: str, *needles: str) -> GateProblem:
    return GateProblem(says, "lesson.toml", find_line(lesson.read("lesson.toml"), *needles))


def find_placeholder_problem(lesson: Lesson) -> Finding:
    """No sentence of the template is left: the author has replaced each by their own."""
    for name in ("lesson.md", "lesson.toml"):
        text = lesson.read(name)
        if sentence := find_placeholder(name, text):
            return GateProblem(
                f"replace this sentence: {sentence}", name, find_line(text, sentence)
            )
    return None


def find_chapter_problem(lesson: Lesson) -> Finding:
    """The page of the chapter, or those of the project, are the author's own, too."""
    if lesson.is_step:
        return _find_project_problem(lesson)
    path = lesson.folder.parent / "chapter.md"
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    if sentence := find_placeholder("chapter.md", text):
        says = f"replace this sentence: {sentence}"
        return GateProblem(says, "../chapter.md", find_line(text, sentence))
    return None


def _find_project_problem(step: Lesson) -> Finding:
    """`project.toml` and `project.md` are complete, and no number of a step is left out."""
    project = Chapter(step.folder.parent, 0, (*step.earlier, step), is_project=True)
    try:
        info = project.info
    except CourseError as error:
        return GateProblem(error.message, "../project.toml")
    if not info.summary.strip() or not info.title.strip():
        return GateProblem("title and summary are needed", "../project.toml", 1)
    if not project.page.startswith(f"# {info.title}\n"):
        return GateProblem(f"its first line is not the title, {info.title!r}", "../project.md", 1)
    for name in ("project.toml", "project.md"):
        text = (project.folder / name).read_text(encoding="utf-8")
        if sentence := find_placeholder(name, text):
            says = f"replace this sentence: {sentence}"
            return GateProblem(says, f"../{name}", find_line(text, sentence))
    numbers = [int(one.folder.name.partition("_")[0]) for one in project.lessons]
    if numbers != list(range(1, len(numbers) + 1)):
        return GateProblem(f"the steps up to this one are {numbers}; one is missing before it")
    return None


def find_growth_problem(step: Lesson) -> Finding:
    """The text that passed the step before can grow: once, with all that `starter.py` adds."""
    for name in (step.info.function, *definitions(step.addition)):
        if name not in definitions(step.starter):
            return GateProblem(f"a text that grows does not define {name}", "starter.py")
    if grow(step.starter, step.addition) != step.starter:
        return GateProblem("a text that grows twice gets it twice", "starter.py")
    if step.info.function in {name for one in step.earlier for name in definitions(one.solution)}:
        says = f"an earlier step defines {step.info.function}: a step adds a function of its own"
        return _in_info(step, says, "function")
    lost = definitions(step.starter) - definitions(step.solution)
    if lost:
        return GateProblem(
            f"it lacks what the file defines by then: {', '.join(lost)}", "solution.py"
        )
    return None


def find_hint_problem(lesson: Lesson) -> Finding:
    """There are at least three rungs, none empty, and none but the last gives a line away."""
    hints = lesson.info.hints
    if len(hints) < LEAST_HINTS:
        says = f"there are {len(hints)} hints; at least {LEAST_HINTS} are needed"
        return _in_info(lesson, says, "hints")
    if any(not hint.strip() for hint in hints):
        return _in_info(lesson, "a hint is empty", '""', "hints")
    for hint in (*hints[:-1], *(hint.text for hint in lesson.info.hint)):
        for line in _telling_lines(lesson.solution):
            if line in " ".join(hint.split()):
                says = f"a hint before the last gives this line of the solution away: {line}"
                return _in_info(lesson, says, line, hint[:20], "hints")
    return None


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


def find_page_problem(lesson: Lesson) -> Finding:
    """The page has its sections in order, and the problem shows two examples."""
    page = lesson.page
    sections = read_sections(page)
    titles = tuple(title for title in sections if title != MORE_PITFALLS)
    if titles == SHORT_SECTIONS and count_rows(page) > SCREEN:
        says = f"a page with these sections alone has at most {SCREEN} rows of {COLUMNS} columns"
        return GateProblem(says, "lesson.md", 1)
    if titles not in (SECTIONS, SHORT_SECTIONS):
        says = f"its sections are {', '.join(sections)}; expected {', '.join(SECTIONS)}"
        wrong = next((it for it in titles if it not in SECTIONS), "")
        return GateProblem(
            says, "lesson.md", find_line(page, f"## {wrong}" if wrong else "", "## ")
        )
    if lesson.info.title not in page.partition("\n")[0]:
        return GateProblem(
            f"its first line is not the title, {lesson.info.title!r}", "lesson.md", 1
        )
    heading = find_line(page, "\n## Problem")
    at_heading = heading + 1 if heading else None
    if "```python" not in sections["Problem"]:
        return GateProblem("the problem shows no examples", "lesson.md", at_heading)
    if lesson.info.function not in sections["Problem"]:
        says = f"the problem does not name the function, {lesson.info.function}"
        return GateProblem(says, "lesson.md", at_heading)
    rows = rows_of_task(page)
    if rows > MOST_ROWS:
        says = f"the task ends at row {rows} of {COLUMNS} columns; the limit is {MOST_ROWS}"
        return GateProblem(says, "lesson.md", at_heading)
    return None


def rows_of_task(page: str, columns: int = COLUMNS) -> int:
    """Count the rows of a terminal from the top of a drawn page to the end of its task."""
    return ROWS_ABOVE + count_rows(put_task_first(page)[0], columns)


def count_rows(page: str, columns: int = COLUMNS) -> int:
    """Count the rows that a page, or a part of it, takes in a terminal."""
    from rich.console import Console

    from jaxtutor.display.markdown import make_page

    console = Console(file=StringIO(), width=columns, color_system="standard")
    with console.capture() as captured:
        console.print(make_page(page, plain=False))
    return len(captured.get().splitlines())


def find_ruff() -> str | None:
    """Find ruff beside this Python, which need not be on the path, or else on it."""
    places = (str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath))
    return shutil.which("ruff", path=os.pathsep.join(places))


def find_format_problem(lesson: Lesson) -> Finding:
    """The code that a learner reads is formatted, as ruff formats it."""
    ruff = find_ruff()
    if ruff is None:
        return Skipped("ruff is not installed")
    with_suffix = ("starter.py", "solution.py", "checks.py")
    files = [name for name in with_suffix if (lesson.folder / name).exists()]
    command = [ruff, "format", "--no-cache", "--diff", "--quiet", "--line-length", "100", *files]
    done = subprocess.run(
        command, cwd=lesson.folder, capture_output=True, text=True, check=False, errors="replace"
    )
    if done.returncode == 0:
        return None
    place = re.search(r"^--- (\S+)\n\+\+\+ .*\n@@ -(\d+)", done.stdout, re.M)
    if place is None:  # not a question of format
        return GateProblem(f"ruff cannot read it: {done.stderr.strip()}")
    return GateProblem("not formatted: run `ruff format` on it", place[1], int(place[2]))
