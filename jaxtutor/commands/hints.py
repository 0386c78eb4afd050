"""Runs `hint`: the hints of a lesson one by one, then a fix that was tried."""

from __future__ import annotations

from jaxtutor.app import App
from jaxtutor.commands import PASSED
from jaxtutor.commands.printing import print_message
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.learning.progress import choose_rungs, is_past_last, make_ladder, numbers_of
from jaxtutor.core.reporting.recorded import read_failed, read_hint
from jaxtutor.errors import StoreError


def hint(app: App, name: str | None, every: bool, again: bool) -> int:
    """Show the next hint of a lesson, the last one again, or all.

    The hints that are for what failed last come first. After the last one, the next hint is a fix
    for the learner's own file, which is tried before it is shown.
    """
    lesson = app.lesson(name)
    report = _last_verdict(app, lesson)
    shown = (*numbers_of(lesson.info, read_hint(report)), *_shown_hints(app, lesson))
    ladder = make_ladder(lesson.info, read_failed(report), shown)
    if not every and not again and is_past_last(ladder, shown):
        return _hint_fix(app, lesson)
    rungs = choose_rungs(ladder, shown, every, again)
    for rung in rungs:
        _record_hint(app, lesson, rung.number)
    if app.options.json:
        from jaxtutor.core.reporting.outputs.lessons import HintOutput, ShownHint

        hints = tuple(ShownHint(rung=rung.place, text=rung.text) for rung in rungs)
        app.print_json(HintOutput(lesson=lesson.slug, rungs=len(lesson.info.hints), hints=hints))
        return PASSED
    for index, rung in enumerate(rungs):
        if index:
            app.console.print()
        title = f"{rung.title(lesson.info)} {'for' if rung.place else 'in'} {lesson.slug}"
        app.console.print(title, style="title")
        prose = app.prose_renderer
        app.console.print(prose.prose(rung.text), width=prose.width)
    if not every and rungs[-1] == ladder[-1]:
        last = "This was the last hint. The next one looks for a fix in your own file."
        app.console.print(last, style="quiet")
    return PASSED


def _last_verdict(app: App, lesson: Lesson) -> str:
    """Return the verdict of the last attempt, as it was recorded; empty if there is none."""
    try:
        attempts = app.store.attempts(lesson.slug, most=1)
        return app.store.verdict(attempts[-1]) if attempts else ""
    except StoreError:  # recording the hint will say so
        return ""


def _hint_fix(app: App, lesson: Lesson) -> int:
    """Show an edit of the learner's file that was tried, if there is one."""
    from jaxtutor.checks.attempts import file_to_check
    from jaxtutor.checks.submission_trials import fix_submission
    from jaxtutor.display.pages import fix_page
    from jaxtutor.storage import workspace

    lesson.require_packages()
    path = file_to_check(app, lesson)
    source = workspace.read(path).text
    with app.waiting("Looking for a fix that works in your file", lasting=True):
        verdict = app.checker.check(lesson, source, path)
        assert verdict is not None, "nothing cancels this check"
        found = fix_submission(app.checker, lesson, source, path, verdict)
    if found is None:
        passed = verdict.status == "passed"
        why = "Your file passes as it is." if passed else "No known edit gets your file further."
        return print_message(app, lesson, f"{why} Our solution: jaxtutor solution {lesson.slug}")
    fix, after = found
    if app.options.json:
        from jaxtutor.core.reporting.outputs.lessons import HintFixOutput, TriedFix

        tried = TriedFix(diff=fix.diff, verified=fix.verified, status=after.status)
        app.print_json(HintFixOutput(lesson=lesson.slug, fix=tried))
        return PASSED
    for part in fix_page(app.renderer, fix, after):
        app.console.print(part)
    return PASSED


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
