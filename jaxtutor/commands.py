"""Owns what each command does: a function of the surroundings that returns an exit status."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.course import Lesson
from jaxtutor.errors import StoreError, TutorError, UsageError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from jaxtutor.core.model import Machine, Verdict
    from jaxtutor.core.progress import Progress
    from jaxtutor.workspace import Submission

PASSED, NOT_PASSED = 0, 1


# ---------------------------------------------------------------- checking


def check(app: App, target: str | None, lesson_name: str | None) -> int:
    """Check one submission once."""
    from jaxtutor import workspace
    from jaxtutor.attempts import attempt

    lesson, path = locate(app, target, lesson_name)
    submission = workspace.read(path)
    verdict = attempt(app, lesson, submission)
    assert verdict is not None, "nothing cancels this check"
    show_verdict(app, lesson, path, verdict, submission.text)
    return status_of(verdict)


def watch(app: App, target: str | None, lesson_name: str | None) -> int:
    """Check on every save until interrupted; a save during a check cancels it."""
    from queue import SimpleQueue

    from jaxtutor import workspace
    from jaxtutor.core.settling import Event, Missing, Saved, Troubled
    from jaxtutor.ui.background import Background, Checked
    from jaxtutor.watch import Watch

    lesson, path = locate(app, target, lesson_name)
    events: SimpleQueue[Checked | Event] = SimpleQueue()
    background = Background(app, events.put)
    if not app.options.json:
        app.console.print(f"Watching {path}. Ctrl-C ends.", style="quiet")
    try:
        with Watch(path, lambda _, event: events.put(event)):
            while True:
                match events.get():
                    case Saved(data):
                        try:
                            background.submit(lesson, workspace.decode(path, data))
                        except TutorError as error:
                            background.cancel()
                            app.warn(error.message, error.remedy)
                    case Missing():
                        app.warn(f"{path} is gone.", "It is checked again when it is back.")
                    case Troubled(reason):
                        app.warn(f"{path} cannot be read: {reason}.")
                    case Checked(error=None, verdict=verdict, submission=submission) if verdict:
                        show_verdict(app, lesson, path, verdict, submission.text)
                    case Checked(error=error) if error:
                        raise error
    finally:
        background.close()


def status_of(verdict: Verdict) -> int:
    """Return the exit status that a verdict calls for."""
    if verdict.status == "lesson_at_fault":
        return TutorError.status
    return PASSED if verdict.status == "passed" else NOT_PASSED


def locate(app: App, target: str | None, lesson_name: str | None) -> tuple[Lesson, Path]:
    """Tell from what was typed, a lesson or a file, which lesson and which file are meant."""
    from jaxtutor.attempts import file_to_check

    if target is not None and _is_file(target):
        path = Path(target).absolute()
        if not path.exists():
            raise UsageError(f"{target} is not there.", "Name a file that is, or only the lesson.")
        return app.course.find(lesson_name) if lesson_name else app.lesson_of(path), path
    if target is not None and lesson_name is not None:
        raise UsageError(f"{target} is not there.", "Name a file that is, or only the lesson.")
    lesson = app.lesson(target or lesson_name)
    return lesson, file_to_check(app, lesson)


def _is_file(target: str) -> bool:
    return target.endswith(".py") or "/" in target or Path(target).is_file()


def show_verdict(app: App, lesson: Lesson, path: Path, verdict: Verdict, source: str) -> None:
    """Print a verdict as the options ask."""
    if app.options.json:
        from jaxtutor.core.reports import check_report

        app.print_json(check_report(verdict, str(path)))
        return
    from jaxtutor.ui.render import relative

    if verdict.status == "passed":
        following = app.course.after(lesson)
        after = (
            f"Next: jaxtutor next ({following.slug})" if following else "That was the last lesson."
        )
    else:
        after = f"{relative(path)}   more: jaxtutor hint"
    width = app.renderer.width
    app.console.print(draw_verdict(app, lesson, verdict, source, after), width=width)


def draw_verdict(
    app: App, lesson: Lesson, verdict: Verdict, source: str, after: str
) -> RenderableType:
    """Draw a verdict on a source, and last what the learner may do."""
    return app.renderer.verdict(verdict, source, lesson.info.new, after)


def devices(app: App) -> int:
    """List what JAX can run on."""
    from jaxtutor.core.model import DevicesRequest
    from jaxtutor.core.reports import devices_report
    from jaxtutor.spawn import Kind

    outcome = app.checker.runner.run(DevicesRequest(), Kind(app.options.device))
    from jaxtutor.checking import refuse_device

    refuse_device(outcome)
    machine = outcome.machine
    assert machine is not None, "a worker that does not get ready raises"
    if app.options.json:
        app.print_json(devices_report(machine))
    else:
        _print_devices(app, machine)
    return PASSED


def _print_devices(app: App, machine: Machine) -> None:
    from rich.text import Text

    app.console.print(Text(f"jax {machine.jax}, jaxlib {machine.jaxlib}, Python {machine.python}"))
    for device in machine.devices:
        default = "   (default)" if device.default else ""
        app.console.print(Text.assemble((device.name, "code"), f"   {device.kind}{default}"))


# ---------------------------------------------------------------- reading and moving about


def show(app: App, name: str | None) -> int:
    """Print a lesson's page, in a pager where it is long."""
    lesson = app.lesson(name)
    if app.options.json:
        app.print_json(_lesson_report(app, lesson))
        return PASSED
    print_page(app, lesson)
    return PASSED


def print_page(app: App, lesson: Lesson) -> None:
    """Print a lesson's page."""
    from jaxtutor.ui.pages import lesson_page
    from jaxtutor.ui.render import relative

    print_long(app, lesson_page(lesson, app.course.chapter_of(lesson), relative(app.file(lesson))))


def print_long(app: App, page: RenderableType) -> None:
    """Print a page, through a pager where a person reads and it does not fit the screen."""
    width = app.renderer.width
    lines = len(app.console.render_lines(page, app.console.options.update(width=width)))
    if app.interactive and lines > app.console.height:
        with app.console.pager(styles=not app.options.plain):
            app.console.print(page, width=width)
    else:
        app.console.print(page, width=width)


def _lesson_report(app: App, lesson: Lesson) -> dict[str, object]:
    info = lesson.info
    return {
        "schema": 1,
        "slug": lesson.slug,
        "number": lesson.number,
        "chapter": app.course.chapter_of(lesson).title,
        "title": info.title,
        "function": info.function,
        "difficulty": info.difficulty,
        "minutes": info.minutes,
        "requires": list(info.requires),
        "docs": list(info.docs),
        "hints": len(info.hints),
        "file": str(app.file(lesson)),
        "page": lesson.page,
    }


def list_lessons(app: App) -> int:
    """List the course with progress."""
    progress = _progress(app)
    if app.options.json:
        app.print_json(
            {"schema": 1, "lessons": [_entry(app, it, progress) for it in app.course.lessons]}
        )
        return PASSED
    from jaxtutor.ui.pages import course_page

    for part in course_page(app.course, progress, app.current(), app.marks):
        app.console.print(part)
    return PASSED


def _progress(app: App) -> dict[str, Progress]:
    try:
        return app.store.progress()
    except StoreError as error:
        app.warn(error.message, error.remedy)
        return {}


def _entry(app: App, lesson: Lesson, progress: dict[str, Progress]) -> dict[str, object]:
    from jaxtutor.core.progress import Progress

    done = progress.get(lesson.slug, Progress())
    return {
        "slug": lesson.slug,
        "number": lesson.number,
        "chapter": app.course.chapter_of(lesson).title,
        "title": lesson.info.title,
        "difficulty": lesson.info.difficulty,
        "status": done.status,
        "attempts": done.attempts,
        "hints_shown": done.hints_shown,
    }


def move(app: App, step: int) -> int:
    """Make the lesson after or before the current one the current one, and show it."""
    lesson = app.lesson(None)
    target = app.course.after(lesson, step)
    if target is None:
        raise UsageError(
            f"{lesson.slug} is the {'last' if step > 0 else 'first'} lesson.",
            "See the whole course: jaxtutor list",
        )
    from jaxtutor.attempts import file_to_check

    file_to_check(app, target)
    app.store.set_current(target.slug)
    return show(app, target.slug)


def hint(app: App, name: str | None, every: bool, again: bool) -> int:
    """Show the next rung of a lesson's ladder, the last one again, or all.

    Past the last one written, the rung is a fix for the learner's own file, tried before that.
    """
    lesson = app.lesson(name)
    hints = lesson.info.hints
    shown = _shown_hints(app, lesson)
    if not every and not again and len(hints) in shown:
        return _hint_fix(app, lesson)
    rungs = choose_rungs(len(hints), shown, every, again)
    for rung in rungs:
        _record_hint(app, lesson, rung)
    if app.options.json:
        app.print_json(
            {
                "schema": 1,
                "lesson": lesson.slug,
                "rungs": len(hints),
                "hints": [{"rung": rung, "text": hints[rung - 1]} for rung in rungs],
            }
        )
        return PASSED
    for rung in rungs:
        app.console.print(f"Hint {rung} of {len(hints)} for {lesson.slug}", style="title")
        app.console.print(app.renderer.prose(hints[rung - 1]), width=app.renderer.width)
    if not every and rungs[-1] == len(hints):
        last = "That was the last one. The next hint looks for a fix in your own file."
        app.console.print(last, style="quiet")
    return PASSED


def _hint_fix(app: App, lesson: Lesson) -> int:
    """Show an edit of the learner's file that was tried, if one is had."""
    from jaxtutor import workspace
    from jaxtutor.attempts import file_to_check
    from jaxtutor.fixing import fix_submission

    path = file_to_check(app, lesson)
    source = workspace.read(path).text
    verdict = app.checker.check(lesson, source, path)
    assert verdict is not None, "nothing cancels this check"
    found = fix_submission(app.checker, lesson, source, path, verdict)
    if found is None:
        passed = verdict.status == "passed"
        why = "It passes as it is." if passed else "No edit is known that gets it further."
        return _say(app, lesson, f"{why} Our solution: jaxtutor solution {lesson.slug}")
    fix, after = found
    if app.options.json:
        report = {"diff": fix.diff, "verified": fix.verified, "status": after.status}
        app.print_json({"schema": 1, "lesson": lesson.slug, "fix": report})
        return PASSED
    says = "with it your file passes" if fix.verified else f"it gets further: {after.headline}"
    app.console.print(f"A fix, tried: {says}", style="title", width=app.renderer.width)
    for line in app.renderer.diff_text(fix.diff):
        app.console.print(line)
    return PASSED


def choose_rungs(count: int, shown: tuple[int, ...], every: bool, again: bool) -> list[int]:
    """Choose which rungs to show, counted from 1; past the last one it is the last one again."""
    if every:
        return list(range(1, count + 1))
    last = max((rung for rung in shown if rung <= count), default=0)
    if again and last:
        return [last]
    return [min(last + 1, count)]


def _shown_hints(app: App, lesson: Lesson) -> tuple[int, ...]:
    try:
        return app.store.hints(lesson.slug)
    except StoreError as error:
        app.warn(error.message, error.remedy)
        return ()


def _record_hint(app: App, lesson: Lesson, rung: int) -> None:
    try:
        app.store.record_hint(lesson.slug, rung)
    except StoreError as error:
        app.warn(error.message, error.remedy)


def solution(app: App, name: str | None) -> int:
    """Print our solution."""
    lesson = app.lesson(name)
    if app.options.json:
        app.print_json({"schema": 1, "lesson": lesson.slug, "source": lesson.solution})
        return PASSED
    _print_code(app, lesson.solution)
    return PASSED


def _print_code(app: App, source: str) -> None:
    if app.console.is_terminal and not app.options.plain:
        from rich.syntax import Syntax

        code = Syntax(source.rstrip(), "python", theme="ansi_dark", background_color="default")
        app.console.print(code)
    else:
        app.stdout.write(source)


# ---------------------------------------------------------------- the learner's file


def reset(app: App, name: str | None) -> int:
    """Put the starter back; the learner's file is kept in the store first."""
    lesson = app.lesson(name)
    return _replace_file(app, lesson, lesson.starter, "before reset", "the starter")


def restore(app: App, name: str | None, which: str) -> int:
    """Bring back the source of an earlier attempt (`3`) or of a file put away (`k1`)."""
    lesson = app.lesson(name)
    text = _earlier_source(app, lesson, which)
    return _replace_file(app, lesson, text, f"before restoring {which}", f"number {which}")


def _earlier_source(app: App, lesson: Lesson, which: str) -> str:
    number = which.removeprefix("k")
    if not number.isdigit():
        raise UsageError(f"{which!r} is no number of an attempt.", "See: jaxtutor history")
    entries = (
        app.store.kept(lesson.slug) if which.startswith("k") else app.store.attempts(lesson.slug)
    )
    for entry in entries:
        if entry.n == int(number):
            return app.store.source(entry)
    raise UsageError(
        f"{lesson.slug} has no attempt {which}.", f"See: jaxtutor history {lesson.slug}"
    )


def _replace_file(app: App, lesson: Lesson, text: str, reason: str, what: str) -> int:
    """Write the learner's file anew, once its present text is safe in the store."""
    from jaxtutor import workspace
    from jaxtutor.ui.render import relative

    path = app.file(lesson)
    kept = ""
    if path.exists():
        present = workspace.read(path)
        if present.text == text:
            return _say(app, lesson, f"{relative(path)} is {what} already.")
        number = app.store.keep_source(lesson.slug, present.text, reason)
        kept = f" Your text is kept: jaxtutor restore k{number} {lesson.slug}"
    workspace.write_atomically(path, workspace.encode(text))
    return _say(app, lesson, f"{relative(path)} holds {what} now.{kept}")


def _say(app: App, lesson: Lesson, message: str) -> int:
    if app.options.json:
        app.print_json({"schema": 1, "lesson": lesson.slug, "message": message})
    else:
        from rich.text import Text

        app.console.print(Text(message, overflow="fold"))
    return PASSED


def history(app: App, name: str | None) -> int:
    """List every attempt at a lesson."""
    lesson = app.lesson(name)
    attempts, kept = app.store.attempts(lesson.slug), app.store.kept(lesson.slug)
    if app.options.json:
        app.print_json(
            {
                "schema": 1,
                "lesson": lesson.slug,
                "attempts": [
                    {
                        "n": entry.n,
                        "when": entry.when.isoformat(),
                        "status": entry.status,
                        "device": entry.device,
                        "jax_version": entry.jax,
                        "seconds": entry.seconds,
                    }
                    for entry in attempts
                ],
                "kept": [
                    {"n": f"k{entry.n}", "when": entry.when.isoformat(), "reason": entry.reason}
                    for entry in kept
                ],
            }
        )
        return PASSED
    if not attempts and not kept:
        return _say(
            app, lesson, f"No attempts at {lesson.slug} yet. Begin: jaxtutor start {lesson.slug}"
        )
    from jaxtutor.ui.pages import history_page

    for part in history_page(attempts, kept, app.marks):
        app.console.print(part)
    app.console.print(f"Bring one back: jaxtutor restore N {lesson.slug}", style="quiet")
    return PASSED


def diff(app: App, name: str | None, against: str, jaxpr: bool) -> int:
    """Show the learner's file against the starter, the solution, or an earlier attempt."""
    from jaxtutor import workspace
    from jaxtutor.attempts import file_to_check

    lesson = app.lesson(name)
    path = file_to_check(app, lesson)
    mine = workspace.read(path)
    if jaxpr:
        return _diff_jaxprs(app, lesson, path, mine)
    theirs = {"starter": lesson.starter, "solution": lesson.solution}.get(against)
    if theirs is None:
        theirs = _earlier_source(app, lesson, against)
    lines = list(app.renderer.source_diff(theirs, mine.text, (against, "yours")))
    if app.options.json:
        text = "\n".join(line.plain for line in lines)
        app.print_json({"schema": 1, "lesson": lesson.slug, "against": against, "diff": text})
        return PASSED
    if not lines:
        return _say(app, lesson, f"Your file and {_against(against)} are the same.")
    for line in lines:
        app.console.print(line)
    return PASSED


def _against(against: str) -> str:
    return f"attempt {against}" if against.isdigit() else f"the {against}"


def _diff_jaxprs(app: App, lesson: Lesson, path: Path, mine: Submission) -> int:
    from jaxtutor.attempts import attempt
    from jaxtutor.core.jaxprs import lines_alike

    verdict = attempt(app, lesson, mine)
    assert verdict is not None, "nothing cancels this check"
    if verdict.jaxpr is None or verdict.reference_jaxpr is None:
        if verdict.failure is not None and not app.options.json:
            show_verdict(app, lesson, path, verdict, mine.text)
            return NOT_PASSED
        raise UsageError(
            f"{lesson.slug} has no jaxpr to compare.", "It works on functions, not arrays."
        )
    if app.options.json:
        ours, yours = lines_alike(verdict.reference_jaxpr, verdict.jaxpr)
        app.print_json(
            {
                "schema": 1,
                "lesson": lesson.slug,
                "against": "solution",
                "solution": [line.text for line in ours],
                "yours": [line.text for line in yours],
            }
        )
        return PASSED
    for line in app.renderer.jaxpr_diff(verdict.jaxpr, verdict.reference_jaxpr):
        app.console.print(line)
    return PASSED


# ---------------------------------------------------------------- for authors


def test_lessons(app: App, target: str | None) -> int:
    """Run the gates on a course, a chapter, or one lesson."""
    from jaxtutor.gates import run_gates

    lessons = _lessons_to_test(app, target)
    broken = 0
    reports = []
    for gate in run_gates(app.course, lessons, app.checker):
        broken += not gate.holds
        if app.options.json:
            reports.append({"lesson": gate.lesson, "gate": gate.name, "problem": gate.problem})
        else:
            _print_gate(app, gate.lesson, gate.name, gate.problem)
    if app.options.json:
        app.print_json({"schema": 1, "gates": reports, "broken": broken})
    else:
        says = f"{broken} to mend" if broken else "all hold"
        app.console.print(f"{len(lessons)} lessons tested, {says}.", style="title")
    return NOT_PASSED if broken else PASSED


def _print_gate(app: App, lesson: str, name: str, problem: str) -> None:
    from rich.text import Text

    from jaxtutor.ui.look import visible

    mark, style = (app.marks.failed, "failed") if problem else (app.marks.passed, "passed")
    app.console.print(Text.assemble((mark, style), f" {lesson}  {name}"))
    if problem:
        app.console.print(Text("    " + visible(problem), overflow="fold"))


def _lessons_to_test(app: App, target: str | None) -> tuple[Lesson, ...]:
    """A folder of a course, a chapter or a lesson, or what names a lesson; nothing is all."""
    if target is None:
        return app.course.lessons
    path = Path(target)
    if not path.is_dir():
        return (app.course.find(target),)
    path = path.resolve()
    app.options.course = _course_folder(path)
    chosen = tuple(
        lesson for lesson in app.course.lessons if path in (lesson.folder, *lesson.folder.parents)
    )
    if not chosen:
        raise UsageError(
            f"{target} holds no lessons.", "Name a course's, chapter's or lesson's folder."
        )
    return chosen


def _course_folder(path: Path) -> Path:
    """Find the course that a folder belongs to: by its course.toml, else by what lies in it."""
    marked = [folder for folder in (path, *path.parents) if (folder / "course.toml").exists()]
    if marked:
        return marked[0]
    if (path / "lesson.toml").exists():
        return path.parent.parent
    return path.parent if any(path.glob("*/lesson.toml")) else path


def new_lesson(app: App, folder: Path) -> int:
    """Make the files of a new lesson."""
    from jaxtutor import workspace
    from jaxtutor.scaffold import files

    if folder.exists():
        raise UsageError(f"{folder} is there already.", "Choose another name.")
    for name, text in files(folder.name).items():
        workspace.write_atomically(folder / name, text.encode())
    from rich.text import Text

    app.console.print(
        Text(f"Made {folder}. Fill in its files, then: jaxtutor lesson test {folder}")
    )
    return PASSED
