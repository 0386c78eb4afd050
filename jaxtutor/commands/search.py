"""Implements `search`: finds lessons, chapters, causes and error classes by words."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import NOT_PASSED, PASSED
from jaxtutor.core.addresses import (
    chapter_address,
    class_address,
    lesson_address,
    page_address,
)
from jaxtutor.core.learning.search import Document, Hit, PageKind, find_habit, search
from jaxtutor.core.reporting.outputs.learning import SearchOutput, SearchResult
from jaxtutor.errors import CourseError, UsageError

if TYPE_CHECKING:
    from rich.text import Text

    from jaxtutor.content.course import Chapter
    from jaxtutor.content.lesson import Lesson

MOST = 3
"""Results of each group that are shown: together they fit a screen. `--all` shows the rest."""
GROUPS: Mapping[str, tuple[str, ...]] = {
    "Lessons": ("lesson",),
    "Chapters and projects": ("chapter", "project"),
    "Causes of mistakes": ("cause", "error"),
}
MORE = " …"
"""What follows the first row of an excerpt that has more."""
KINDS = {"chapter": "chapter", "project": "project", "error": "error class"}
Groups = dict[str, tuple[Hit, ...]]


def find(app: App, words: tuple[str, ...], every: bool, choose: bool = False) -> int:
    """Print the pages that match the words, in groups, best first; return 1 if none does.

    With `choose`, show the page that the person chooses from them.
    """
    query = " ".join(words)
    term = app.glossary.look_up(query)
    habit = find_habit(query, app.library.habits())
    if not term and not habit and not any(letter.isalnum() for letter in query):
        raise UsageError("There is no word to search for.", "For example: jaxtutor search vmap")
    app.read_all_lessons()
    pages_first = (*((term.lesson,) if term else ()), *(habit.pages if habit else ()))
    hits = search(query, list_documents(app), pages_first)
    groups = {
        head: tuple(hit for hit in hits if hit.document.kind in kinds)
        for head, kinds in GROUPS.items()
    }
    if choose and hits:
        from jaxtutor.commands.choosing import choose_hit

        return _open(app, choose_hit(app, query, chain(*groups.values())))
    shown = {head: found[: None if every else MOST] for head, found in groups.items()}
    says = " ".join(answer.says for answer in (term, habit) if answer is not None)
    status = PASSED if says or hits else NOT_PASSED
    if app.options.json:
        results = tuple(map(_result, chain(*shown.values())))
        app.print_json(SearchOutput(query=query, answer=says, results=results))
        return status
    for line in _lines(app, says, shown, every):
        app.console.print(line, width=app.prose_renderer.width)
    others = len(hits) - sum(map(len, shown.values()))
    if others > 0:
        app.console.print(
            f"{others} more match: jaxtutor search {shlex.join(words)} --all", style="quiet"
        )
    if hits:
        first = next(chain(*shown.values())).document
        app.console.print(f"Open the first: {command_for(first)}", style="quiet")
    elif not says:
        app.console.print(f"Nothing matches {query!r}. Every name: jaxtutor list, jaxtutor explain")
    return status


def _open(app: App, hit: Hit | None) -> int:
    """Show the page of a match."""
    from jaxtutor.commands.explain import explain
    from jaxtutor.commands.pages import list_lessons, show

    if hit is None:
        return PASSED
    document = hit.document
    match document.kind:
        case "lesson":
            return show(app, document.name)
        case "chapter" | "project":
            return list_lessons(app, document.number)
    return explain(app, document.name)


def list_documents(app: App) -> Iterator[Document]:
    """Yield every page of the course and of the library; a broken lesson is left out."""
    for part in app.course.parts:
        kind: PageKind = "project" if part.is_project else "chapter"
        yield Document(kind, part.name, part.title, part.page, part.label)
        for lesson in part.lessons:
            with suppress(CourseError):
                yield _lesson_document(lesson, part)
    library = app.library
    for slug in library:
        cause, (_, text) = library[slug], library.page(slug)
        yield Document("cause", slug, cause.title, f"{text}\n{' '.join(cause.raises)}")
    for name in library.classes:
        title, text = library.page(name)
        yield Document("error", name, title.partition(": ")[2], text)


def _lesson_document(lesson: Lesson, part: Chapter) -> Document:
    info = lesson.info
    text = f"{lesson.page}\n{info.new}\n{info.function}"
    tags = " ".join(info.tags)
    return Document("lesson", lesson.slug, info.title, text, lesson.number, part.name, tags)


def command_for(document: Document) -> str:
    """Return the command that shows a page."""
    match document.kind:
        case "lesson":
            return f"jaxtutor show {document.name}"
        case "chapter" | "project":
            return f"jaxtutor list {document.number}"
    return f"jaxtutor explain {document.name}"


def _result(hit: Hit) -> SearchResult:
    document = hit.document
    return SearchResult(
        kind=document.kind,
        name=document.name,
        number=document.number,
        title=document.title,
        excerpt=hit.excerpt,
        score=hit.score,
        command=command_for(document),
        address=_address(document),
    )


def _address(document: Document) -> str | None:
    """Return the address of a page on the site, if there is one."""
    match document.kind:
        case "lesson":
            return lesson_address(document.name)
        case "chapter" | "project":
            return chapter_address(document.name)
        case "error":
            return class_address(document.name)
    return page_address(document.name)


def _lines(app: App, says: str, groups: Groups, every: bool) -> Iterator[Text]:
    """Draw the answer, then each group; without `every`, one row of each excerpt."""
    from rich.text import Text

    from jaxtutor.display.theme import visible

    prose, width = app.prose_renderer.prose, max(app.prose_renderer.width - 4, 16)
    if says:
        yield prose(says)
    for head, hits in groups.items():
        if hits:
            yield Text(head, style="mark")
        for hit in hits:
            document = hit.document
            label = f"{KINDS.get(document.kind, '')} {document.number}".strip()
            name = (f"{document.name}  ", "title"), (f"{label}  " if label else "", "quiet")
            title = Text.assemble(*name, prose(visible(document.title)))
            excerpt = prose(visible(hit.excerpt)).wrap(app.console, width - len(MORE))
            if len(excerpt) > 1 and not every:
                excerpt[0].append(MORE)
            found = [*title.wrap(app.console, width), *excerpt[: None if every else 1]]
            for place, line in enumerate(found):
                if line.plain:
                    yield Text("    " if place else "  ") + line
