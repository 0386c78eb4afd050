"""Implements `review`: lists the lessons and drills due, starts reviews and cancels them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import PASSED
from jaxtutor.commands.drill_log import DrillLog
from jaxtutor.commands.printing import print_message
from jaxtutor.content.drill_pages import DrillPages
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.learning.reviews import Rating, Recall, Review, rate
from jaxtutor.errors import UsageError
from jaxtutor.storage import clock

if TYPE_CHECKING:
    from rich.text import Text

MOST_DUE, MOST_LATER = 10, 5
"""The most lessons listed: of those due, and of those due later."""


def review(app: App, name: str | None, give_up: bool) -> int:
    """List what is due; with a name, start the review of that lesson or cancel it."""
    if name is None and not give_up:
        return _show_due(app)
    lesson = app.lesson(name)
    if give_up:
        return _cancel(app, lesson)
    return _start(app, lesson)


# ---------------------------------------------------------------- what is due


def find_recalls(app: App, now: datetime) -> list[Recall]:
    """Forecast every lesson that was passed; first those due, the least remembered at the top."""
    from jaxtutor.watch.scheduling import forecast

    seen = _find_seen(app)
    known = [lesson.slug for lesson in app.course.lessons]
    recalls = [forecast(slug, seen[slug], now) for slug in known if slug in seen]
    return sorted(recalls, key=lambda recall: (recall.due > now, recall.chance, recall.due))


def _find_seen(app: App) -> dict[str, list[tuple[datetime, Rating]]]:
    """Return when each passed lesson was seen, and how well it was remembered each time."""
    hints = {slug: done.hints_shown for slug, done in app.store.progress().items()}
    seen = {
        slug: [(when, rate(tries, hints.get(slug, 0)))]
        for slug, (tries, when) in app.store.first_passes().items()
    }
    for review in app.store.reviews():
        if review.ended is not None and review.lesson in seen:
            seen[review.lesson].append((review.ended, review.rating))
    return seen


def _show_due(app: App) -> int:
    now = clock.now()
    recalls = find_recalls(app, now)
    causes = DrillLog(app).recalls(DrillPages(), now)
    opened = {one.lesson: one for one in app.store.reviews() if one.ended is None}
    if app.options.json:
        from jaxtutor.core.reporting.learning_reports import review_report

        app.print_json(review_report(recalls, set(opened), causes, now))
        return PASSED
    for line in (*_due_lines(app, recalls, opened, now), *_drill_lines(app, causes, now)):
        app.console.print(line)
    return PASSED


def _drill_lines(app: App, causes: list[Recall], now: datetime) -> list[Text]:
    from rich.text import Text

    if not causes:
        return []
    due = [recall for recall in causes if recall.due <= now]
    shown = due or sorted(causes, key=lambda it: it.due)[:MOST_LATER]
    label = max(len(it.slug) for it in shown)
    lines = [Text("Due for a drill" if due else "Later drills", style="title")]
    lines += [_recall_line(app, recall, now, label) for recall in shown[:MOST_DUE]]
    if len(shown) > MOST_DUE:
        lines.append(Text(f"{len(shown) - MOST_DUE} more are due.", style="quiet"))
    return [*lines, *([Text("Start: jaxtutor drill", style="quiet")] if due else [])]


def _due_lines(
    app: App, recalls: list[Recall], opened: dict[str, Review], now: datetime
) -> list[Text]:
    from rich.text import Text

    lines = [
        Text(f"In review: {slug}, started {_local(one.begun)}. Check it: jaxtutor check {slug}")
        for slug, one in opened.items()
    ]
    due = [it for it in recalls if it.due <= now and it.slug not in opened]
    later = sorted((it for it in recalls if it.due > now), key=lambda it: it.due)[:MOST_LATER]
    label = max((len(it.slug) for it in (*due[:MOST_DUE], *later)), default=0)
    if not recalls:
        lines.append(Text("Nothing to review yet. A lesson is due some days after you pass it."))
    elif due:
        lines.append(
            Text("Due for review, with the chance that you still remember it", style="title")
        )
        lines += [_recall_line(app, recall, now, label) for recall in due[:MOST_DUE]]
        if len(due) > MOST_DUE:
            lines.append(Text(f"{len(due) - MOST_DUE} more are due.", style="quiet"))
        lines.append(Text(f"Start one: jaxtutor review {due[0].slug}", style="quiet"))
    else:
        lines.append(Text("Nothing is due."))
    if later:
        lines.append(Text("Later, with the chance that you remember it now", style="title"))
        lines += [_recall_line(app, recall, now, label) for recall in later]
    return lines


def _recall_line(app: App, recall: Recall, now: datetime, label: int) -> Text:
    """Draw the chance that a lesson is remembered, and when it is due."""
    from rich.text import Text

    from jaxtutor.display.progress import BAR, Canvas

    chance, when = f"{recall.chance:.0%}", _days(recall.due - now)
    canvas = Canvas(app.console.width, app.marks)
    if canvas.in_words:
        return Text(f"{recall.slug}: {when}, {chance} chance that you remember it.")
    line = Text.assemble("  ", (f"{recall.slug:<{label}}", "code"))
    bar = canvas.bar(round(recall.chance * 100), 100, BAR // 2)
    for part in (Text(f"  {chance:>4}"), Text("  ") + bar, Text(f"  {when}", style="quiet")):
        if line.cell_len + part.cell_len <= canvas.width:
            line += part
    return line


def _days(ahead: timedelta) -> str:
    days = round(abs(ahead) / timedelta(1))
    count = "1 day" if days == 1 else f"{days} days"
    if days == 0:
        return "due today"
    return f"due for {count}" if ahead < timedelta() else f"due in {count}"


def _local(when: datetime) -> str:
    return when.astimezone().strftime("%Y-%m-%d")


# ---------------------------------------------------------------- one review


def _start(app: App, lesson: Lesson) -> int:
    """Put the starter in place and record a review, after saving the learner's text."""
    from jaxtutor.storage import workspace

    if lesson.is_step:
        raise UsageError(
            "The steps of a project are not reviewed: their file holds the whole program.",
            "Review a lesson: jaxtutor review",
        )
    lesson.require_packages()
    if app.store.open_review(lesson.slug):
        return print_message(
            app, lesson, f"{lesson.slug} is already in review. Continue: jaxtutor start"
        )
    done = app.store.progress().get(lesson.slug)
    if done is None or done.passed_at is None:
        raise UsageError(
            f"{lesson.slug} has not been passed yet.",
            f"Start it: jaxtutor start {lesson.slug}",
        )
    path = app.file(lesson)
    kept, present = None, workspace.present(path)
    if present is not None:
        kept = app.store.keep_source(lesson.slug, present, "before a review")
    workspace.write_atomically(path, workspace.encode(lesson.starter))
    app.store.start_review(lesson.slug, kept)
    text = f" Restore your text: jaxtutor restore k{kept} {lesson.slug}" if kept else ""
    return print_message(
        app,
        lesson,
        f"Review of {lesson.slug} started. Write it again from the starter; it is checked with new "
        f"hidden cases. It stays passed. Next: jaxtutor start{text}",
    )


def _cancel(app: App, lesson: Lesson) -> int:
    """Cancel a review, and restore the text that was saved when it started."""
    from jaxtutor.storage import workspace

    found = app.store.open_review(lesson.slug)
    if found is None:
        raise UsageError(f"{lesson.slug} is not in review.", "See: jaxtutor review")
    path = app.file(lesson)
    earlier = next((it for it in app.store.kept(lesson.slug) if it.n == found.kept), None)
    if earlier is not None:
        data, starter = app.store.data(earlier), workspace.encode(lesson.starter)
        present = workspace.present(path)
        if present is not None and present not in (data, starter):
            app.store.keep_source(lesson.slug, present, "before a review was cancelled")
        workspace.write_atomically(path, data)
    app.store.cancel_review(lesson.slug)
    back = " Your earlier text was restored." if earlier else ""
    message = f"Review of {lesson.slug} cancelled.{back} It will be due again soon."
    return print_message(app, lesson, message)
