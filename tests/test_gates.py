"""Tests the gates of lessons: each gate can fail, and every built-in lesson passes all of them."""

from __future__ import annotations

import re
import shutil
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxtutor.checks.lesson_check import Checker
from jaxtutor.content import scaffold
from jaxtutor.content.cause_pages import Library
from jaxtutor.content.course import Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.content.loading import load_course
from jaxtutor.core.data.lessons import WHY, put_task_first
from jaxtutor.grading import lesson_gates, text_gates
from jaxtutor.grading.gate import Finding, Gate, Skipped
from jaxtutor.grading.lesson_gates import run_gates
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.templates import Templates
from sampling import sampled
from trials.sample_lessons import INFO, PAGE, SOLUTION, STARTER, make_lesson

MISTAKE = '# expects: check values\n"""Triple it."""\n\n\ndef double(x):\n    return 3 * x\n'
RAISING = """# expects: traced-bool-in-if at 6


def double(x):
    # the branch
    if x[0] > 0:
        return 2 * x
    return 2 * x
"""
SOUND = {"mistakes/triple.py": MISTAKE, "mistakes/branch.py": RAISING}
ALSO = "def double(x):\n    return x + x\n"


@pytest.fixture
def checker(tmp_path: Path) -> Iterator[Checker]:
    """Return a checker with an empty cache."""
    runner = Runner(templates=Templates())
    yield Checker(runner, Library(), tmp_path / "references", "cpu")
    runner.close()


def make(folder: Path, **files: str) -> tuple[Course, Lesson]:
    """Create a course of one sound lesson, with some of its files replaced."""
    named = {name.replace("__", "/").replace("_dot_", "."): text for name, text in files.items()}
    make_lesson(folder / "01_basics" / "01_double", {**SOUND, **named})
    course = load_course(folder)
    return course, course.lessons[0]


def said(found: Finding) -> str:
    """Return what a gate says is wrong; empty if nothing is."""
    assert not isinstance(found, Skipped)
    return found.says if found else ""


def place(found: Finding) -> tuple[str, int | None]:
    """Return the file and the line that a gate names."""
    assert found is not None
    assert not isinstance(found, Skipped)
    return found.file, found.line


# ---------------------------------------------------------------- gates without a worker


def test_a_sound_lesson_has_its_files(tmp_path: Path) -> None:
    """A sound lesson has all required files and, apart from caches, no others."""
    _, lesson = make(tmp_path)
    (lesson.folder / "__pycache__").mkdir()

    assert text_gates.find_file_problem(lesson) is None


def test_a_packed_lesson_has_its_files(tmp_path: Path) -> None:
    """The files are complete in a wheel too, where solution and mistakes have another suffix."""
    _, lesson = make(tmp_path)
    for path in (lesson.folder / "solution.py", *lesson.folder.glob("mistakes/*.py")):
        path.rename(path.with_name(f"{path.name}.txt"))

    assert text_gates.find_file_problem(lesson) is None


@pytest.mark.parametrize(
    ("files", "missing", "says"),
    [
        ({}, "solution.py", "solution.py is missing"),
        ({"notes_dot_txt": "?"}, "", "notes.txt does not belong here"),
        ({"also__notes_dot_txt": "?"}, "", "also/notes.txt does not belong here"),
        ({"drafts__a_dot_py": ""}, "", "drafts does not belong here"),
    ],
)
def test_files_are_those_asked_for(
    tmp_path: Path, files: dict[str, str], missing: str, says: str
) -> None:
    """Missing and unexpected files are named."""
    _, lesson = make(tmp_path, **files)
    if missing:
        (lesson.folder / missing).unlink()

    assert says == said(text_gates.find_file_problem(lesson))


def test_a_lesson_has_mistakes(tmp_path: Path) -> None:
    """A lesson without mistakes fails its gate."""
    _, lesson = make(tmp_path)
    shutil.rmtree(lesson.folder / "mistakes")

    assert "mistakes/ holds no wrong submission" == said(text_gates.find_file_problem(lesson))


def test_what_a_lesson_requires_comes_earlier(tmp_path: Path) -> None:
    """A required lesson that is missing or comes later fails the gate."""
    requiring = INFO.replace("minutes = 5", 'requires = ["other"]\nminutes = 5')
    make_lesson(tmp_path / "01_basics" / "02_other", SOUND)
    course, lesson = make(tmp_path, lesson_dot_toml=requiring)
    assert text_gates.find_info_problem(course, lesson)

    make_lesson(tmp_path / "01_basics" / "00_other", SOUND)
    shutil.rmtree(tmp_path / "01_basics" / "02_other")
    course = load_course(tmp_path)
    assert text_gates.find_info_problem(course, course.find("double")) is None


def test_two_lessons_have_two_names(tmp_path: Path) -> None:
    """The same name in two chapters fails the gate."""
    make_lesson(tmp_path / "02_more" / "01_double", SOUND)
    course, lesson = make(tmp_path)

    assert "another lesson has the same name" == said(text_gates.find_info_problem(course, lesson))


@pytest.mark.parametrize(
    ("hints", "says"),
    [
        ('["one", "two", "three"]', ""),
        ('["one", "two", "return jnp.add(x, x)"]', ""),
        ('["one", "two"]', "there are 2 hints; at least 3 are needed"),
        ('["one", "  ", "three"]', "a hint is empty"),
        (
            '["one", "write jnp.add(x,\\n  x) here", "three"]',
            "a hint before the last gives this line of the solution away: jnp.add(x, x)",
        ),
    ],
)
def test_hints_help_without_giving_away(tmp_path: Path, hints: str, says: str) -> None:
    """Only the last hint may contain a line of the solution."""
    info = INFO.replace('["Think.", "Look closer.", "Multiply it by two."]', hints)
    solution = "import jax.numpy as jnp\n\n\ndef double(x):\n    return jnp.add(x, x)\n"
    _, lesson = make(tmp_path, lesson_dot_toml=info, solution_dot_py=solution)

    assert says == said(text_gates.find_hint_problem(lesson))


def test_hints_of_a_solution_that_is_no_python_are_none_the_worse(tmp_path: Path) -> None:
    """A solution with a syntax error does not break the gate of the hints."""
    _, lesson = make(tmp_path, solution_dot_py="def double(x:\n")

    assert text_gates.find_hint_problem(lesson) is None


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("", "", ""),
        ("## Common pitfalls", "## Pitfalls", "its sections are Why this matters, Worked example,"),
        ("## Why this matters\n\nIt does.\n\n", "", "its sections are Worked example"),
        ("# Double it", "# Halve it", "its first line is not the title, 'Double it'"),
        ("```python show", "```text", "the problem shows no examples"),
        ("double(", "standardise(", "the problem does not name the function, double"),
    ],
)
def test_a_page_has_its_parts(tmp_path: Path, old: str, new: str, says: str) -> None:
    """A page needs its sections in order, a title, and examples in the problem."""
    _, lesson = make(tmp_path, lesson_dot_md=PAGE.replace(old, new) if old else PAGE)

    assert said(text_gates.find_page_problem(lesson)).startswith(says)
    assert bool(says) == bool(text_gates.find_page_problem(lesson))


@pytest.mark.parametrize(("paragraphs", "says"), [(1, ""), (12, "a page with these sections")])
def test_a_page_of_one_screen_needs_the_problem_only(
    tmp_path: Path, paragraphs: int, says: str
) -> None:
    """A page without a worked example is allowed if all of it fits one screen."""
    page = PAGE.partition("## Why")[0] + "## Problem" + PAGE.partition("## Problem")[2]
    _, lesson = make(tmp_path, lesson_dot_md=page + "\nWell done.\n" * paragraphs)

    assert said(text_gates.find_page_problem(lesson)).startswith(says)
    assert bool(says) == bool(text_gates.find_page_problem(lesson))


def test_a_gate_that_was_not_checked_is_not_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without ruff, the format is skipped: nobody looked at it."""
    _, lesson = make(tmp_path)
    monkeypatch.setattr(text_gates, "find_ruff", lambda: None)
    found = text_gates.find_format_problem(lesson)

    assert Gate(lesson, "format", found).status == "skipped"
    assert Gate(lesson, "format", found).reason == "ruff is not installed"


@pytest.mark.parametrize(
    ("name", "old", "line"),
    [
        ("lesson.md", "What goes wrong, and how it shows.", 18),
        ("lesson.md", "What to know next, and where to read on.", 31),
        ("lesson.toml", "One sentence: what the learner can do now.", 5),
        ("lesson.toml", "Nearly there: what is missing?", 12),
    ],
)
def test_the_templates_sentences_are_refused(
    tmp_path: Path, name: str, old: str, line: int
) -> None:
    """A lesson in which the author left a sentence of the template fails, with its line."""
    written = {
        path: text
        if path not in ("lesson.md", "lesson.toml")
        else "\n".join(
            each if old in each or each[:1] in "#`" else re.sub(r"[a-z]{4,}", "words", each)
            for each in text.split("\n")
        )
        for path, text in scaffold.files(Path("01_double")).items()
    }
    _, lesson = make(tmp_path, **written)
    found = text_gates.find_placeholder_problem(lesson)

    assert (f"replace this sentence: {old}", (name, line)) == (said(found), place(found))


def test_a_chapter_without_a_text_of_its_own_is_refused(tmp_path: Path) -> None:
    """The template's sentence in chapter.md fails the gate; a missing chapter.md does not."""
    _, lesson = make(tmp_path)
    assert text_gates.find_chapter_problem(lesson) is None

    page = f"# Basics\n\n{scaffold.CHAPTER}\n"
    (tmp_path / "01_basics" / "chapter.md").write_text(page, encoding="utf-8")
    assert ("../chapter.md", 3) == place(text_gates.find_chapter_problem(lesson))


def test_programs_that_are_not_python_are_reported_once(tmp_path: Path, checker: Checker) -> None:
    """A syntax error in checks.py is one problem with a line; the other gates are not run."""
    course, lesson = make(tmp_path, checks_dot_py="import numpy as np\n\nEXAMPLES = [\n")
    ran = list(run_gates(course, (lesson,), checker))

    assert ["passed", "passed", "failed", "skipped"] == [gate.status for gate in ran]
    assert ("checks.py", 3) == place(ran[2].found)


@pytest.mark.skipif(text_gates.find_ruff() is None, reason="needs ruff")
@pytest.mark.parametrize("name", ["solution_dot_py", "starter_dot_py", "checks_dot_py"])
def test_code_is_formatted(tmp_path: Path, name: str) -> None:
    """Code that is not formatted fails the gate."""
    _, lesson = make(tmp_path)
    assert text_gates.find_format_problem(lesson) is None
    assert text_gates.find_file_problem(lesson) is None  # ruff left no cache in the lesson

    _, lesson = make(tmp_path, **{name: "x = [ 1,2 ]\n"})
    assert said(text_gates.find_format_problem(lesson)).startswith("not formatted")
    assert place(text_gates.find_format_problem(lesson)) == (name.replace("_dot_", "."), 1)


# ---------------------------------------------------------------- gates with a worker


def test_a_sound_lesson_keeps_every_gate(tmp_path: Path, checker: Checker) -> None:
    """A sound lesson passes every gate, in order."""
    course, lesson = make(tmp_path, also__sum_dot_py=ALSO)
    ran = list(run_gates(course, (lesson,), checker))

    assert [
        "files",
        "lesson.toml",
        "syntax",
        "placeholders",
        "chapter",
        "hints",
        "page",
        "format",
        "solution",
        "starter",
        "prose",
        "also/sum.py",
        "mistakes/branch.py",
        "mistakes/triple.py",
        "sentences",
        "hints for failures",
    ] == [gate.name for gate in ran]
    assert [gate.problem for gate in ran if gate.status != "passed"] == []


def solution_problem(lesson: Lesson, checker: Checker) -> Finding:
    """Run the gate of the solution."""
    return lesson_gates.find_solution_problem(
        lesson, checker, lambda path: lesson_gates._check(lesson, checker, path)
    )


def test_a_solution_has_to_pass(tmp_path: Path, checker: Checker) -> None:
    """A solution that its own examples contradict fails the gate."""
    _, lesson = make(tmp_path, solution_dot_py=SOLUTION.replace("2 * x", "3 * x"))

    assert said(solution_problem(lesson, checker)).startswith(
        "it does not pass: lesson_at_fault, its solution contradicts the example x=[1.0, 2.0]"
    )


def test_a_solution_has_to_be_quick(tmp_path: Path, checker: Checker) -> None:
    """A solution that takes too much of the time limit fails the gate."""
    info = INFO + "needs = { seconds = 0.4 }\n"
    slow = "import time\n\ntime.sleep(1)\n" + SOLUTION
    _, lesson = make(tmp_path, lesson_dot_toml=info, solution_dot_py=slow)

    assert "it does not pass: timed_out" in said(solution_problem(lesson, checker))


def test_a_time_of_a_busy_hour_is_measured_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, checker: Checker
) -> None:
    """Answers that were cached when the machine was busy do not fail the solution for ever."""
    _, lesson = make(tmp_path)
    checker.reference(lesson)
    measured = iter([1e3, 0.1])
    monkeypatch.setattr(lesson_gates, "own_seconds", lambda _: next(measured))

    assert solution_problem(lesson, checker) is None
    assert not list(measured)


@pytest.mark.parametrize(
    ("starter", "says"),
    [
        (STARTER, ""),
        (SOLUTION, "it must hold one TODO"),
        (STARTER + "# TODO: and more\n", "it must hold one TODO"),
        (STARTER.replace("return x", "return 2 * x"), "it passed: passed"),
        (STARTER.replace("return x", "return ("), "SyntaxError: '(' was never closed"),
        (STARTER + "import os\n\nos._exit(0)\n", "it crashed: Its process ended"),
    ],
)
def test_a_starter_is_unfinished_and_runs(
    tmp_path: Path, checker: Checker, starter: str, says: str
) -> None:
    """A starter that passes, or that fails in a way the learner cannot correct, fails the gate."""
    _, lesson = make(tmp_path, starter_dot_py=starter)
    problem = said(lesson_gates.find_starter_problem(lesson, checker))

    assert problem.startswith(says)
    assert bool(says) == bool(problem)


def test_another_right_solution_is_accepted(tmp_path: Path, checker: Checker) -> None:
    """A refused alternative solution fails the gate."""
    _, lesson = make(tmp_path, also__sum_dot_py=ALSO.replace("x + x", "x + 1"))

    problem = lesson_gates.find_also_problem(lesson, checker, *lesson.alternatives())
    assert said(problem).startswith("it does not pass: failed, values: ")


@pytest.mark.parametrize(
    ("source", "says"),
    sampled(
        [
            (MISTAKE.replace("check values", "check jit"), "expected the check jit, got values"),
            (MISTAKE.replace("3 * x", "2 * x"), "it passed: passed"),
            (
                MISTAKE.replace("check values", "traced-bool-in-if at 6"),
                "expected traced-bool-in-if at 6, got no diagnosis",
            ),
            (
                RAISING.replace("at 6", "at 7"),
                "expected traced-bool-in-if at 7, got traced-bool-in-if at 6",
            ),
            (
                RAISING.replace("traced-bool-in-if", "silent-broadcast"),
                "expected silent-broadcast at 6, got traced-bool-in-if at 6",
            ),
            (
                RAISING.replace("traced-bool-in-if", "ValueError"),
                "expected ValueError at 6, got traced-bool-in-if at 6, Tracer",
            ),
        ],
        2,
    ),
)
def test_a_mistake_gets_what_its_first_line_says(
    tmp_path: Path, checker: Checker, source: str, says: str
) -> None:
    """A mistake with another check, cause or line than its first line states fails the gate."""
    _, lesson = make(tmp_path, mistakes__one_dot_py=source)
    path, expectation = next(
        (path, wanted) for path, wanted in lesson.mistakes() if path.name == "one.py"
    )

    verdict = lesson_gates._check(lesson, checker, path)
    assert said(lesson_gates.find_mistake_problem(verdict, expectation)).startswith(says)


def test_a_mistake_may_expect_the_class_of_its_error(tmp_path: Path, checker: Checker) -> None:
    """An error class at its line is an expected result like a cause."""
    source = RAISING.replace("traced-bool-in-if", "TracerBoolConversionError")
    _, lesson = make(tmp_path, mistakes__one_dot_py=source)
    wanted = next(it for path, it in lesson.mistakes() if path.name == "one.py")

    verdict = lesson_gates._check(lesson, checker, lesson.folder / "mistakes" / "one.py")
    assert lesson_gates.find_mistake_problem(verdict, wanted) is None


@pytest.mark.parametrize(
    ("block", "says"),
    sampled(
        [
            ("```python\n1 / 0\n```", "the block at line 10 raised ZeroDivisionError"),
            (
                "```python raises=ZeroDivisionError\n1 / 1\n```",
                "the block at line 10 did not raise",
            ),
            (
                "```python raises=ZeroDivisionError\nint('x')\n```",
                "the block at line 10 raised ValueError, not ZeroDivisionError",
            ),
            (
                "```python raises=jax.errors.TracerBoolConversionError\nimport jax\n"
                "jax.jit(lambda x: bool(x))(1)\n```",
                "",
            ),
            ("```python\nx = 1\n```\n\n```python\nassert x == 1\n```", ""),
            ("```python\nassert x == 1\n```", "the block at line 10 raised NameError"),
            ("```python\nimport os\nos._exit(1)\n```", "the block at line 10 did not end: crashed"),
        ],
        2,
    ),
)
def test_prose_does_what_it_says(tmp_path: Path, checker: Checker, block: str, says: str) -> None:
    """The Python blocks of a page run in one session and must do what their fences say."""
    page = PAGE.replace("```python\nassert 2 * 2 == 4\n```", block)
    _, lesson = make(tmp_path, lesson_dot_md=page)
    problem = said(lesson_gates.find_prose_problem(lesson, checker))

    assert problem.startswith(says)
    assert bool(says) == bool(problem)


SHOWN = "double(jnp.array([1.0, 2.0]))  # [2.0, 4.0]\ndouble(jnp.array([0.5]))  # [1.0]\n"


@pytest.mark.parametrize(
    ("shown", "says"),
    sampled(
        [
            (SHOWN, ""),
            (SHOWN.replace("# [1.0]", "# one, in an array"), ""),
            (SHOWN.replace("# [1.0]", "# [1.0] in float32"), ""),
            (
                SHOWN.replace("# [1.0]", "# [3.0] in float32"),
                "shows at line 23 that double(jnp.array([0.5])) is [3.0]; the solution's differs",
            ),
            (
                SHOWN.replace("1.0, 2.0", "2.0, 1.0").replace("2.0, 4", "4.0, 2"),
                "not show call 1 of",
            ),
            (SHOWN.replace("0.5", "1.5").replace("# [1.0]", "# [3.0]"), "does not show call 2 of"),
            (SHOWN.partition("\n")[0] + "\n", "shows 1 calls, and EXAMPLES has 2"),
            (SHOWN.replace("jnp.array([0.5])", "table"), ""),
            (SHOWN.replace("jnp.array([0.5])", "jnp.array([0.5]), 3"), "raised TypeError"),
        ],
        2,
    ),
)
def test_the_page_shows_the_examples(
    tmp_path: Path, checker: Checker, shown: str, says: str
) -> None:
    """The calls that the problem shows are the EXAMPLES, with the solution's answers.

    A line with a name that only the page's text explains is not run.
    """
    assert SHOWN in PAGE
    _, lesson = make(tmp_path, lesson_dot_md=PAGE.replace(SHOWN, shown))
    found = lesson_gates.find_prose_problem(lesson, checker)

    assert says in said(found)
    assert bool(says) == (found is not None)
    assert found is None or place(found) == ("lesson.md", 22)


def test_a_gate_that_meets_a_broken_file_says_so(tmp_path: Path, checker: Checker) -> None:
    """A lesson that cannot be read fails its gates without an exception."""
    course, lesson = make(tmp_path, lesson_dot_toml="title = ")
    ran = list(run_gates(course, (lesson,), checker))

    assert [("files", "passed"), ("lesson.toml", "failed"), ("other gates", "skipped")] == [
        (gate.name, gate.status) for gate in ran
    ]
    assert "The lesson double is broken: lesson.toml, line 1" in ran[1].problem.says
    assert ("lesson.toml", 1) == place(ran[1].found)


def test_only_the_gates_with_a_text_in_their_name_run(tmp_path: Path, checker: Checker) -> None:
    """An author who writes one mistake need not wait for the others."""
    course, lesson = make(tmp_path)

    assert ["lesson.toml"] == [
        gate.name for gate in run_gates(course, (lesson,), checker, only="lesson.toml")
    ]
    names = [gate.name for gate in run_gates(course, (lesson,), checker, only="mistakes/")]
    assert names
    assert all(name.startswith("mistakes/") for name in names)


def test_a_hint_may_be_for_a_class_or_for_a_kind_of_wrong_answer(
    tmp_path: Path, checker: Checker
) -> None:
    """A class of Python or JAX and a kind of wrong answer are accepted, a misspelt one is not."""

    def problem(name: str) -> str:
        hint = f'[[hint]]\nwhen = "{name}"\ntext = "Look at the zero."\n'
        info = INFO + hint
        _, lesson = make(tmp_path / name, lesson_dot_toml=info)
        found = lesson_gates.find_target_problem(
            lesson, {}, lambda path: lesson_gates._check(lesson, checker, path)
        )
        return said(found)

    assert "" == problem("ZeroDivisionError")
    assert "" == problem("TracerBoolConversionError")
    assert "" == problem("structure")
    assert "" == problem("transposed")
    assert "which is not a check" in problem("ZeroDivisonError")


# ---------------------------------------------------------------- the built-in course

COURSE = load_course(None)
MODEL = "safe-clip-positive"  # always checked completely; the others only with all tests


def problems(lesson: Lesson, checker: Checker) -> list[str]:
    """Return the problems of a built-in lesson."""
    return [
        f"{gate.name}: {gate.problem}"
        for gate in run_gates(COURSE, (lesson,), checker)
        if gate.status == "failed"
    ]


@pytest.mark.parametrize(("columns", "median", "worst"), [(80, 26, 38), (40, 41, 68)])
def test_the_tasks_of_our_lessons_end_soon(columns: int, median: int, worst: int) -> None:
    """A page shows its whole task in about a screen of 24 rows, and in less than two."""
    rows = [text_gates.rows_of_task(lesson.page, columns) for lesson in COURSE.every_lesson]

    assert statistics.median(rows) <= median
    assert max(rows) <= worst


def test_no_line_of_our_pages_is_lost_by_drawing_the_task_first() -> None:
    """The task and the rest of a page together have its lines; a reason may be in both."""
    for lesson in COURSE.every_lesson:
        drawn = "\n".join(put_task_first(lesson.page)).splitlines()
        missing = set(lesson.page.splitlines()) - set(drawn)

        assert missing <= {f"## {WHY}"}, lesson.slug
        assert len("".join(drawn)) >= len("".join(lesson.page.splitlines())) - len(f"## {WHY}")


@pytest.mark.parametrize("lesson", COURSE.every_lesson, ids=lambda lesson: lesson.slug)
def test_a_lesson_of_ours_reads_well(lesson: Lesson) -> None:
    """The files, words, hints and page of a built-in lesson or step pass their gates."""
    found = (
        text_gates.find_file_problem(lesson),
        text_gates.find_info_problem(COURSE, lesson),
        text_gates.find_hint_problem(lesson),
        text_gates.find_page_problem(lesson),
        text_gates.find_chapter_problem(lesson),
        text_gates.find_growth_problem(lesson) if lesson.is_step else None,
    )

    assert (None,) * 6 == found


@pytest.mark.parametrize(
    "lesson",
    [
        pytest.param(lesson, id=lesson.slug, marks=[pytest.mark.slow] * (lesson.slug != MODEL))
        for lesson in COURSE.every_lesson
    ],
)
def test_a_lesson_of_ours_keeps_every_gate(lesson: Lesson, checker: Checker) -> None:
    """The mistakes and solutions of a built-in lesson pass their gates on the installed jax."""
    if lesson.missing:
        pytest.skip(f"the lesson needs {', '.join(lesson.missing)}")
    assert problems(lesson, checker) == []
