"""Implements `--choose`: the lists of lessons, versions, pages and matches to choose from."""

from __future__ import annotations

from collections.abc import Iterable

from jaxtutor.app import App
from jaxtutor.commands import PASSED
from jaxtutor.commands.pages import read_progress
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.learning.progress import Progress
from jaxtutor.core.learning.search import Hit
from jaxtutor.core.terminal.chooser import Item, choose_from
from jaxtutor.errors import UsageError
from jaxtutor.storage.store import Attempt, SavedFile


def lesson_items(app: App, lessons: Iterable[Lesson], progress: dict[str, Progress]) -> list[Item]:
    """Return one entry for each lesson that can be opened."""
    usable = [lesson for lesson in lessons if not lesson.fault]
    width = max((len(it.slug) for it in usable), default=0)
    marks = app.marks
    signs = {
        "passed": marks.lesson_passed,
        "started": marks.lesson_started,
        "new": marks.lesson_new,
    }
    items = []
    for it in usable:
        sign = signs[progress.get(it.slug, Progress()).status]
        line = f"{sign} {it.number:<5} {it.slug:<{width}}  {it.info.title}"
        items.append(Item(it.slug, line, f"{it.info.difficulty} {' '.join(it.info.tags)}"))
    return items


def choose_lesson(app: App, chapter: str | None, todo: bool) -> str | None:
    """Let the person choose a lesson; return its slug, or None."""
    app.read_all_lessons()
    progress = read_progress(app)
    course = app.course
    lessons = course.find_chapter(chapter).lessons if chapter is not None else course.every_lesson
    left = [it for it in lessons if not todo or _is_left(progress, it)]
    return _choose(app, "Open a lesson", lesson_items(app, left, progress), app.current())


def _is_left(progress: dict[str, Progress], lesson: Lesson) -> bool:
    return progress.get(lesson.slug, Progress()).status != "passed"


def choose_version(app: App, name: str | None) -> tuple[str, str] | None:
    """Let the person choose an attempt or a saved copy; return the lesson and its number."""
    lesson = app.lesson(name)
    entries: list[Attempt | SavedFile] = [
        *app.store.attempts(lesson.slug),
        *app.store.kept(lesson.slug),
    ]
    items = []
    for entry in sorted(entries, key=lambda it: it.when, reverse=True):
        number = str(entry.n) if isinstance(entry, Attempt) else f"k{entry.n}"
        says = entry.status.replace("_", " ") if isinstance(entry, Attempt) else entry.reason
        when = entry.when.astimezone().strftime("%Y-%m-%d %H:%M")
        items.append(Item(number, f"{number:>5}  {when}  {says}"))
    found = _choose(app, f"Restore a version of {lesson.slug}; the present one is kept", items)
    return None if found is None else (lesson.slug, found)


def choose_page(app: App) -> str | None:
    """Let the person choose a guide, an error class or a cause; return its name, or None."""
    from jaxtutor.content.guides import GUIDES

    library = app.library
    titles = {name: library.title(name) for name in (*GUIDES, *library.classes, *library.slugs)}
    width = max(map(len, titles))
    items = [Item(name, f"{name:<{width}}  {title}") for name, title in titles.items()]
    return _choose(app, "Explain a cause or an error class", items)


def choose_hit(app: App, query: str, hits: Iterable[Hit]) -> Hit | None:
    """Let the person choose a match; return it, or None."""
    found = {f"{hit.document.kind} {hit.document.name}": hit for hit in hits}
    width = max((len(hit.document.name) for hit in found.values()), default=0)
    items = [
        Item(key, f"{it.document.kind:<6}  {it.document.name:<{width}}  {it.document.title}")
        for key, it in found.items()
    ]
    key = _choose(app, f"Matches of {query}", items)
    return None if key is None else found[key]


def _choose(app: App, title: str, items: list[Item], current: str | None = None) -> str | None:
    """Show a list if there is a terminal and something to choose. Raises UsageError."""
    dumb = app.options.plain or app.environ.get("TERM", "") in ("", "dumb")
    if app.options.json or dumb or not app.interactive:
        raise UsageError("--choose needs a terminal.", "Leave it out to print the list.")
    if not items:
        app.console.print("There is nothing to choose from.")
        return None
    from jaxtutor.display.choosing import choose

    return choose(title, choose_from(tuple(items), current))


def explain_page(app: App) -> int:
    """Show the page that the person chooses."""
    from jaxtutor.commands.explain import explain

    name = choose_page(app)
    return PASSED if name is None else explain(app, name)


def restore_version(app: App, name: str | None) -> int:
    """Restore the version that the person chooses."""
    from jaxtutor.commands.files import restore

    found = choose_version(app, name)
    return PASSED if found is None else restore(app, *found)
