"""Owns `hint`: the ladder of a lesson, and past its last rung a fix that was tried."""

from __future__ import annotations

from jaxtutor.app import App
from jaxtutor.commands import PASSED
from jaxtutor.commands.printing import print_message
from jaxtutor.content.course import Lesson
from jaxtutor.core.learning.progress import choose_rungs, is_past_last
from jaxtutor.errors import StoreError


def hint(app: App, name: str | None, every: bool, again: bool) -> int:
    """Show the next rung of a lesson's ladder, the last one again, or all.

    Past the last one written, the rung is a fix for the learner's own file, tried before that.
    """
    lesson = app.lesson(name)
    hints = lesson.info.hints
    shown = _shown_hints(app, lesson)
    if not every and not again and is_past_last(len(hints), shown):
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
        app.console.print(app.prose_renderer.prose(hints[rung - 1]), width=app.prose_renderer.width)
    if not every and rungs[-1] == len(hints):
        last = "That was the last one. The next hint looks for a fix in your own file."
        app.console.print(last, style="quiet")
    return PASSED


def _hint_fix(app: App, lesson: Lesson) -> int:
    """Show an edit of the learner's file that was tried, if one is had."""
    from jaxtutor.checking.attempts import file_to_check
    from jaxtutor.checking.fix_trials import fix_submission
    from jaxtutor.display.pages import fix_page
    from jaxtutor.storage import workspace

    path = file_to_check(app, lesson)
    source = workspace.read(path).text
    verdict = app.checker.check(lesson, source, path)
    assert verdict is not None, "nothing cancels this check"
    found = fix_submission(app.checker, lesson, source, path, verdict)
    if found is None:
        passed = verdict.status == "passed"
        why = "It passes as it is." if passed else "No edit is known that gets it further."
        return print_message(app, lesson, f"{why} Our solution: jaxtutor solution {lesson.slug}")
    fix, after = found
    if app.options.json:
        report = {"diff": fix.diff, "verified": fix.verified, "status": after.status}
        app.print_json({"schema": 1, "lesson": lesson.slug, "fix": report})
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
