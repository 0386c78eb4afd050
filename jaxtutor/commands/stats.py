"""Implements `stats`: counts what the learner did, and draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import PASSED
from jaxtutor.core.learning import activity
from jaxtutor.core.learning.drills import gather
from jaxtutor.storage import clock

if TYPE_CHECKING:
    from jaxtutor.display.progress import Sums

MOST_CAUSES = 5


def stats(app: App) -> int:
    """Show progress, attempts per lesson, active days and frequent mistakes."""
    sums = _add_up(app)
    if app.options.json:
        from jaxtutor.core.reporting.learning_reports import stats_report

        app.print_json(
            stats_report(
                sums.chapters,
                sums.attempts,
                sums.hints,
                sums.tries,
                sums.days,
                sums.causes,
                sums.records,
            )
        )
        return PASSED
    from jaxtutor.display.progress import Canvas, stats_lines

    for line in stats_lines(sums, Canvas(app.prose_renderer.width, app.marks)):
        app.console.print(line)
    return PASSED


def _add_up(app: App) -> Sums:
    from jaxtutor.display.progress import Sums

    known = {lesson.slug for lesson in app.course.lessons}
    progress = {slug: done for slug, done in app.store.progress().items() if slug in known}
    attempts = {slug: done.attempts for slug, done in progress.items()}
    tries = {slug: n for slug, (n, _) in app.store.first_passes().items() if slug in known}
    chapters = [(it.number, it.title, [x.slug for x in it.lessons]) for it in app.course.chapters]
    return Sums(
        chapters=activity.count_chapters(chapters, attempts, tries),
        attempts=sum(attempts.values()),
        hints=sum(done.hints_shown for done in progress.values()),
        tries=tries,
        days=app.store.count_by_day(known),
        causes=app.store.causes(MOST_CAUSES),
        records=tuple(gather(app.store.met_causes(), app.store.drills()).values()),
        today=clock.now().astimezone().date(),
    )
