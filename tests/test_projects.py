"""Tests projects: one file that grows from step to step, and is checked for every step so far."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock

import pytest

from jaxtutor.app import App
from jaxtutor.checks.attempts import attempt, file_to_check, is_given
from jaxtutor.checks.project_files import given
from jaxtutor.commands import authors, files, home, pages, reviews, verdicts
from jaxtutor.content.course import Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.content.loading import load_course
from jaxtutor.core.data.verdicts import CheckResult, Verdict
from jaxtutor.core.judging.steps import join_steps
from jaxtutor.core.learning.growing import grow
from jaxtutor.errors import UnknownLesson, UsageError
from jaxtutor.grading import text_gates
from jaxtutor.grading.gate import GateProblem
from jaxtutor.grading.lesson_gates import run_gates
from jaxtutor.options import Options
from jaxtutor.session.messages import Begin, KeysPressed, Size
from jaxtutor.session.session import Session
from jaxtutor.storage import workspace
from pictures import Outbox
from trials.sample_lessons import make_checker, make_lesson
from trials.sample_projects import FOURFOLD, SOLUTIONS, STARTERS, make_project


class Examiner:
    """Stands in for the checker: a step passes with the definitions of its solution."""

    runner = SimpleNamespace(close=lambda: None)

    def check(self, lesson: Lesson, source: str, *_: Any) -> Verdict:
        own = _verdict(lesson, source)
        if own.status != "passed" or not lesson.earlier:
            return own
        found = []
        for step in lesson.earlier:
            found.append(_verdict(step, source))
            if found[-1].status != "passed":
                break
        return join_steps(own, [step.info.title for step in lesson.earlier], found)


def _raised(lesson: Lesson) -> Verdict:
    checks = (CheckResult("values", "The answers are right.", "failed"),)
    return Verdict("raised", lesson.slug, "", checks, 0.5, "", "")


def _verdict(lesson: Lesson, source: str) -> Verdict:
    body = lesson.solution.rpartition("def ")[2]
    status = "passed" if body in source else "failed"
    checks = (CheckResult("values", "The answers are right.", status),)  # type: ignore[arg-type]
    return Verdict(status, lesson.slug, "", checks, 0.5, "", "")  # type: ignore[arg-type]


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """Return an app with a course of one project and a checker that runs nothing."""
    make_project(tmp_path / "course")
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("jaxtutor.checks.known_mistakes.name_misconception", lambda *_: "")
    made = App(Options(course=tmp_path / "course"), stdout=io.StringIO())
    made.__dict__["checker"] = Examiner()
    yield made
    made.close()


def save(app: App, step: int, text: str) -> Verdict:
    """Save a text and check it as a step, counted from 1."""
    lesson = app.course.steps[step - 1]
    path = app.file(lesson)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    verdict = attempt(app, lesson, workspace.read(path))
    assert verdict is not None
    return verdict


def printed(app: App) -> str:
    """Return what commands wrote, and forget it."""
    assert isinstance(app.stdout, io.StringIO)
    text = app.stdout.getvalue()
    app.stdout.truncate(0)
    app.stdout.seek(0)
    return text


# ---------------------------------------------------------------- names and order


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """Return a course with the project and one lesson."""
    make_lesson(tmp_path / "01_basics" / "01_fold")
    return make_project(tmp_path)


def test_steps_have_names_and_numbers_of_their_own(course: Course) -> None:
    """A step is found by its slug, its number or a part; a lesson comes before steps."""
    assert ["small-double", "small-fourfold", "small-eightfold"] == [it.slug for it in course.steps]
    assert ["P1.1", "P1.2", "P1.3"] == [it.number for it in course.steps]
    first, second, third = course.steps
    assert second == course.find("small-fourfold") == course.find("p1.2") == course.find("four")
    assert course.lessons[0] == course.find("fold")
    assert (first, second) == third.earlier
    assert course.projects[0] == course.chapter_of(third)
    assert ("Small", "P1") == (course.projects[0].title, course.projects[0].label)


def test_a_project_is_found_by_its_name(course: Course) -> None:
    """The name, the number and `project:NAME` name a project; a misspelt one gets a suggestion."""
    project = course.projects[0]
    for name in ("small", "project:small", "P1", "project:p1"):
        assert project == course.find_project(name) == course.find_chapter(name)
    assert course.find_project("fold") is None
    with pytest.raises(UnknownLesson) as caught:
        course.find_project("project:smal")
    assert "Did you mean project:small?" == caught.value.remedy


def test_after_a_step_comes_the_next_one_of_its_project(course: Course) -> None:
    """Neither a lesson leads to a step nor the last step to a lesson."""
    first, second, third = course.steps
    assert (second, None, None) == (
        course.after(first),
        course.after(third),
        course.after(first, -1),
    )
    assert course.after(course.lessons[0]) is None


def test_a_broken_step_breaks_those_that_build_on_it(course: Course) -> None:
    """The steps before a broken one work; those after it say which one it is."""
    (course.steps[1].folder / "checks.py").unlink()
    first, second, third = load_course(course.folder).steps

    assert ("", "checks.py is missing") == (first.fault, second.fault)
    assert "it builds on small-fourfold, which is broken" == third.fault
    assert first == load_course(course.folder).find_project("small").lessons[0]  # type: ignore[union-attr]


def test_a_step_needs_the_packages_of_the_earlier_ones(course: Course) -> None:
    """The file imports what an earlier step added, so a missing package stops the later steps."""
    toml = course.steps[1].folder / "lesson.toml"
    toml.write_text(toml.read_text() + 'needs = { packages = ["no-such-package>=1"] }\n')
    first, second, third = load_course(course.folder).steps

    assert () == first.missing
    assert ("no-such-package>=1",) == second.missing == third.missing


def test_a_course_may_be_projects_alone(tmp_path: Path) -> None:
    """Without chapters, the first step is the first lesson."""
    made = make_project(tmp_path)

    assert made.steps[0] == made.first()


# ---------------------------------------------------------------- the file


def test_a_project_opens_at_the_first_step_that_has_not_passed(app: App) -> None:
    """All steps share one file, and the project's name stands for the step that is open."""
    first, second, third = app.course.steps
    assert app.workspace.root / "projects" / "small.py" == app.file(first) == app.file(third)
    assert first == app.lesson("project:small") == app.lesson_of(app.file(first))

    save(app, 1, SOLUTIONS[0])
    assert second == app.lesson("small") == app.lesson_of(app.file(first))
    for n, text in enumerate(SOLUTIONS[1:], 2):
        save(app, n, text)
    assert third == app.lesson("small")


def test_the_number_of_a_chapter_is_its_first_lesson_not_passed(app: App) -> None:
    """`start 1` opens the first lesson of chapter 1 that has not passed, else its first."""
    for name in ("01_fold1", "02_fold2"):
        make_lesson(app.course.folder / "01_basics" / name)
    vars(app)["course"] = load_course(app.course.folder)
    opened = []
    for lesson in app.course.lessons:
        opened.append(app.lesson("1").slug)
        app.store.record_attempt(
            lesson.slug,
            source="x",
            status="passed",
            verdict="{}",
            device="cpu:0",
            jax="0.6",
            python="3.13",
            seconds=0.1,
            starter="",
        )

    assert ["fold1", "fold2", "fold1"] == [*opened, app.lesson("1").slug]


def test_the_next_step_adds_to_the_text_that_passed(app: App) -> None:
    """Moving on keeps the learner's own text, adds the next starter, and stores a copy."""
    mine = SOLUTIONS[0].replace("2 * x  #", "x + x  #")
    path = file_to_check(app, app.course.steps[0])
    assert STARTERS[0] == path.read_text()
    app.store.set_current("small-double")
    path.write_text(mine)
    pages.move(app, 1)

    assert grow(mine, STARTERS[1]) == path.read_text()
    assert "TODO: multiply" in path.read_text()
    assert "small-fourfold" == app.store.current()
    kept = app.store.kept("small-fourfold")
    assert [("before step P1.2", mine.encode())] == [(it.reason, app.store.data(it)) for it in kept]


def test_a_file_that_has_the_step_is_left_alone(app: App) -> None:
    """Whatever the learner wrote of a step stays, and going back to a step changes nothing."""
    text = SOLUTIONS[0] + "\n\ndef fourfold(x):\n    return 1\n"
    save(app, 1, text)
    for step in app.course.steps[:2]:
        assert text == file_to_check(app, step).read_text()
    assert () == app.store.kept("small-fourfold")


def test_a_step_that_is_opened_early_has_every_starter(app: App) -> None:
    """Without a text that passed, the file holds the starters of all steps up to this one."""
    text = file_to_check(app, app.course.steps[2]).read_text()

    assert 3 == text.count("TODO")
    assert "return double" not in text


def test_a_deleted_file_comes_back_from_the_text_that_passed(app: App) -> None:
    """The newest text that passed the step before is in the store."""
    save(app, 1, SOLUTIONS[0])
    path = file_to_check(app, app.course.steps[1])
    path.unlink()

    assert grow(SOLUTIONS[0], STARTERS[1]) == file_to_check(app, app.course.steps[1]).read_text()


def test_a_file_that_is_not_python_is_not_touched(app: App) -> None:
    """A syntax error, or bytes that are not text, wait for the learner."""
    save(app, 1, SOLUTIONS[0])
    for broken in (b"def f(:\n", b"\0\0", b"\xff\xfe"):
        path = app.file(app.course.steps[1])
        path.write_bytes(broken)
        assert broken == file_to_check(app, app.course.steps[1]).read_bytes()


def test_reset_begins_a_step_again(app: App) -> None:
    """Reset restores the text that passed the step before, with the step's starter."""
    save(app, 1, SOLUTIONS[0])
    save(app, 2, SOLUTIONS[0] + "\n\ndef fourfold(x):\n    return 1\n")
    files.reset(app, "small-fourfold")

    assert grow(SOLUTIONS[0], STARTERS[1]) == app.file(app.course.steps[1]).read_text()


def test_a_later_text_that_passes_a_step_is_not_where_the_next_one_begins(app: App) -> None:
    """A text with the step's own function is passed over, for it is of the step itself."""
    save(app, 1, SOLUTIONS[0])
    save(app, 1, SOLUTIONS[0] + "\n\ndef fourfold(x):\n    return 1\n")

    assert grow(SOLUTIONS[0], STARTERS[1]) == given(app, app.course.steps[1])


def test_what_was_given_is_no_attempt(app: App) -> None:
    """The file as the step began is not recorded, and gets no hint."""
    save(app, 1, SOLUTIONS[0])
    begun = given(app, app.course.steps[1])

    assert is_given(app, app.course.steps[1], begun)
    save(app, 2, begun)
    assert () == app.store.attempts("small-fourfold")


def test_the_editor_reads_the_grown_file_again(app: App) -> None:
    """In a session, the next step opens in the running editor, which reads the file again first."""
    first, second, _ = app.course.steps
    save(app, 1, SOLUTIONS[0])
    session = Session(app, first, Outbox(), Begin(first.slug, "utf-8", "auto", "F12"))
    calls: list[tuple[str, bool]] = []

    def record(name: str) -> Any:
        def call(file: Path, line: int = 0) -> bool:
            calls.append((name, "TODO" in file.read_text()))
            return True

        return call

    session._editor_control._remote = cast(
        Any, SimpleNamespace(open=record("open"), reload=record("reload"))
    )
    session._file = cast(Any, Mock())
    app.__dict__["checker"].prepare = lambda _: None
    session._state.size, session._state.running = Size(80, 8, 24, True), "rows"
    session.handle(KeysPressed(("prefix", "n", "enter")))
    session._wake.close()

    assert [("reload", True), ("open", True)] == calls
    assert (second, app.file(second)) == (session._state.lesson, session._state.path)


# ---------------------------------------------------------------- verdicts


def test_a_step_is_checked_for_the_earlier_ones(app: App) -> None:
    """A pass names each earlier step that still holds."""
    verdict = save(app, 3, SOLUTIONS[2])

    assert ["values", "step-1", "step-2"] == [check.name for check in verdict.checks]
    assert ("passed", 1.5) == (verdict.status, verdict.seconds)
    assert "Step 1 still holds: Double it." == verdict.checks[1].says


def test_an_edit_that_breaks_an_earlier_step_is_named(app: App) -> None:
    """The verdict says which step fails now, and which command restores a text that passed it."""
    save(app, 1, SOLUTIONS[0])
    save(app, 2, SOLUTIONS[1])
    save(app, 2, SOLUTIONS[1])
    verdict = save(app, 3, SOLUTIONS[2].replace("return 2 * x", "return 3 * x"))

    assert ["passed", "failed", "skipped"] == [check.status for check in verdict.checks]
    assert ("failed", "small-eightfold") == (verdict.status, verdict.lesson)
    assert "Step 1 no longer holds. The answers are right." == verdict.checks[1].title
    assert verdict.headline.startswith("step 1 no longer holds")
    assert verdict.hint == (
        "Step 1, 'Double it', fails now. "
        "To go back to the text that passed small-fourfold: `jaxtutor restore 2 small-fourfold`"
    )
    files.restore(app, "small-fourfold", "2")
    assert SOLUTIONS[1] == app.file(app.course.steps[0]).read_text()


def test_a_changed_definition_is_named_where_the_own_checks_fail(app: App) -> None:
    """A step may fail because an earlier one was edited: its name and its check are given."""
    save(app, 1, SOLUTIONS[0])
    save(app, 2, SOLUTIONS[1])
    wrong = SOLUTIONS[1].replace("double(double(x))", "double(x)")
    edited = save(app, 2, wrong.replace("return 2 * x", "return 3 * x"))

    assert "" == save(app, 2, wrong).hint
    assert edited.hint == (
        "`double`, of step 1, is not what it was when your file last passed. "
        "`jaxtutor check small-double` checks that step alone."
    )


def test_a_definition_that_is_gone_is_named(app: App) -> None:
    """A file without an earlier function says so, whatever fails first because of that."""
    save(app, 1, SOLUTIONS[0])
    verdict = save(app, 2, FOURFOLD.replace("double(double(x))", "2 * x"))

    assert verdict.hint.startswith("Your file no longer defines `double`, which step 1 added. ")
    assert verdict.hint.endswith("`jaxtutor restore 1 small-double`")


def test_a_definition_that_is_gone_stands_beside_the_hint(app: App) -> None:
    """A wrong answer keeps the hint for it, or the known mistake, when an earlier name is missing.

    Where the name is why the file raised, the hint is about nothing else.
    """
    toml = app.course.steps[1].folder / "lesson.toml"
    toml.write_text(toml.read_text() + '\n[[hint]]\nwhen = "values"\ntext = "Twice, twice."\n')
    alone = FOURFOLD.replace("double(double(x))", "3 * x")
    missing = "Your file no longer defines `double`, which step 1 added."

    assert f"Twice, twice. {missing}" == save(app, 2, alone).hint

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("jaxtutor.checks.known_mistakes.name_misconception", lambda *_: "Thrice.")
        verdict = save(app, 2, alone)
    assert ("Thrice.", missing) == (verdict.misconception, verdict.hint)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Examiner, "check", lambda self, it, *_: _raised(it))
        assert missing == save(app, 2, alone).hint


def test_a_broken_step_without_a_text_that_passed_offers_none(app: App) -> None:
    """A learner who began with a later step gets the fact without a command."""
    verdict = save(app, 2, SOLUTIONS[1].replace("return 2 * x", "return 3 * x"))

    assert "Step 1, 'Double it', fails now." == verdict.hint


def test_the_last_step_says_how_to_run_the_program(app: App) -> None:
    """After the last step comes the program itself, in `check` and in `next`."""
    path, last = app.file(app.course.steps[2]), app.course.steps[2]
    verdicts.show_verdict(app, last, path, save(app, 3, SOLUTIONS[2]), SOLUTIONS[2])
    assert "The program is complete. Run it: python" in printed(app).replace("\n", " ")

    app.store.set_current(last.slug)
    with pytest.raises(UsageError) as caught:
        pages.move(app, 1)
    assert "the last step of its project" in caught.value.message
    assert "small.py" in caught.value.remedy


# ---------------------------------------------------------------- lists


def test_list_shows_projects_under_their_own_heading(app: App) -> None:
    """The list has a heading and the steps; of one project, also its page."""
    save(app, 1, SOLUTIONS[0])
    pages.list_lessons(app)
    lines = printed(app).splitlines()
    assert "Projects: programs in steps" == lines[0].strip()
    assert "P1  Small" in lines[1]
    assert "1 of 3" in lines[1]
    assert "P1.2" in lines[3]

    make_lesson(app.course.folder / "01_basics" / "01_fold")
    app.course = load_course(app.course.folder)
    pages.list_lessons(app, "project:small")
    text = printed(app)
    assert "A program that doubles, three times." in text
    assert "P1.3" in text
    assert "Basics" not in text
    pages.show(app, "project:small")
    assert "Step P1.2, 2 of 3. Project P1: Small." in printed(app)


def test_the_home_page_knows_steps(app: App) -> None:
    """`jaxtutor` alone names the step, and the next one after a pass."""
    app.store.set_current("small-double")
    save(app, 1, SOLUTIONS[0])
    home.home(app)

    assert "jaxtutor start small-fourfold" in printed(app)


def test_steps_are_not_reviewed(app: App) -> None:
    """A review would replace the whole program by a starter."""
    save(app, 1, SOLUTIONS[0])
    with pytest.raises(UsageError, match="steps of a project are not reviewed"):
        reviews.review(app, "small-double", give_up=False)
    reviews.review(app, None, give_up=False)
    assert "Nothing to review yet" in printed(app)


# ---------------------------------------------------------------- authors


def test_a_new_project_has_a_first_step(tmp_path: Path) -> None:
    """`lesson new --project` makes a project that loads; a second step grows from the first."""
    app = App(Options(), stdout=io.StringIO())
    authors.new_lesson(app, tmp_path / "mine" / "projects" / "01_model", is_project=True)
    authors.new_lesson(app, tmp_path / "mine" / "projects" / "01_model" / "02_more")
    course = load_course(tmp_path / "mine")

    assert ["model-first-step", "model-more"] == [step.slug for step in course.steps]
    assert [""] * 2 == [step.fault for step in course.steps]
    second = course.steps[1]
    assert "def first_step" in second.solution
    assert "def more" in second.solution
    assert text_gates.find_growth_problem(second) is None
    found = text_gates.find_chapter_problem(second)
    assert isinstance(found, GateProblem)
    assert found.file == "../project.toml"
    with pytest.raises(UsageError, match="cannot find a project in a folder"):
        authors.new_lesson(app, tmp_path / "mine" / "02_model", is_project=True)


@pytest.mark.parametrize(
    ("step", "name", "text", "says"),
    [
        (2, "starter.py", "def other(x):\n    # TODO\n    return x\n", "does not define fourfold"),
        (2, "solution.py", FOURFOLD, "it lacks what the file defines by then: double"),
        (2, "lesson.toml", "double", "an earlier step defines double"),
        (3, "", "", "the steps up to this one are [1, 3]; one is missing before it"),
        (1, "../project.toml", 'title = "Small"\n', "The project small is broken"),
        (1, "../project.toml", 'title = "Small"\nsummary = ""\n', "title and summary are needed"),
        (1, "../project.md", "# Large\n", "its first line is not the title, 'Small'"),
    ],
)
def test_a_project_has_gates(tmp_path: Path, step: int, name: str, text: str, says: str) -> None:
    """Each condition on a project and on the growth of its file can fail."""
    folder = make_project(tmp_path).steps[step - 1].folder
    if not name:
        shutil.rmtree(folder.parent / "02_fourfold")
    elif name == "lesson.toml":
        old = (folder / name).read_text()
        (folder / name).write_text(old.replace('"fourfold"', f'"{text}"'))
    else:
        (folder / name).write_text(text)
    lesson = next(it for it in load_course(tmp_path).steps if it.folder == folder)
    problems = (text_gates.find_chapter_problem(lesson), text_gates.find_growth_problem(lesson))
    found = [it.says for it in problems if isinstance(it, GateProblem)]

    assert any(says in it for it in found), found


@pytest.mark.slow
def test_a_sound_project_keeps_every_gate(tmp_path: Path) -> None:
    """Each step's solution passes its own and all earlier checks; each grown starter fails."""
    course = make_project(tmp_path / "course")
    checker = make_checker(tmp_path / "references")
    try:
        ran = list(run_gates(course, course.steps[1:], checker))
    finally:
        checker.runner.close()

    assert [] == [(gate.lesson.slug, gate.name, gate.problem) for gate in ran if gate.found]
    assert "growth" in {gate.name for gate in ran}


def test_the_checks_of_all_steps_run_on_one_file(tmp_path: Path) -> None:
    """In real workers, an edit of step 1 fails step 2 under the name of step 1."""
    step = make_project(tmp_path / "course").steps[1]
    checker = make_checker(tmp_path / "references")
    broken = "def double(x):\n    return x + 1\n\n\ndef fourfold(x):\n    return 4 * x\n"
    try:
        verdicts = [checker.check(step, it, tmp_path / "s.py") for it in (broken, SOLUTIONS[1])]
    finally:
        checker.runner.close()

    wrong, right = (it for it in verdicts if it is not None)
    failed = [check.name for check in wrong.checks if check.status == "failed"]
    assert ("failed", ["step-1"], "passed") == (wrong.status, failed, right.status)
    assert [case.expected for case in wrong.cases]
