"""Implements `search`: finds lessons, causes and error classes by words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import NOT_PASSED, PASSED
from jaxtutor.core.learning.search import Document, Hit, search
from jaxtutor.errors import CourseError, UsageError

if TYPE_CHECKING:
    from rich.text import Text

MOST = 10
"""Results that are shown: a screen of them. `--all` shows the rest."""
KINDS = {"lesson": "lesson", "cause": "cause", "error": "error class"}


def find(app: App, words: tuple[str, ...], every: bool, choose: bool = False) -> int:
    """Print the pages that match the words, best first; return 1 if none does.

    With `choose`, show the page that the person chooses from them.
    """
    query = " ".join(words)
    if not any(letter.isalnum() for letter in query):
        raise UsageError("There is no word to search for.", "For example: jaxtutor search vmap")
    hits = search(query, list_documents(app))
    if choose and hits:
        from jaxtutor.commands.choosing import choose_hit

        return _open(app, choose_hit(app, query, hits))
    shown = hits if every else hits[:MOST]
    if app.options.json:
        app.print_json({"schema": 1, "query": query, "results": [_report(hit) for hit in shown]})
        return PASSED if hits else NOT_PASSED
    for line in _lines(app, shown, len(hits) - len(shown)):
        app.console.print(line, width=app.prose_renderer.width)
    if not hits:
        app.console.print(f"Nothing matches {query!r}. Every name: jaxtutor list, jaxtutor explain")
    return PASSED if hits else NOT_PASSED


def _open(app: App, hit: Hit | None) -> int:
    """Show the page of a match."""
    from jaxtutor.commands.explain import explain
    from jaxtutor.commands.pages import show

    if hit is None:
        return PASSED
    name = hit.document.name
    return show(app, name) if hit.document.kind == "lesson" else explain(app, name)


def list_documents(app: App) -> Iterator[Document]:
    """Yield every page of the course and of the library; a broken lesson is left out."""
    for lesson in app.course.every_lesson:
        with suppress(CourseError):
            info = lesson.info
            text = f"{lesson.page}\n{info.new}\n{' '.join((*info.tags, info.function))}"
            yield Document("lesson", lesson.slug, info.title, text, lesson.number)
    library = app.library
    for slug in library:
        cause, (_, text) = library[slug], library.page(slug)
        yield Document("cause", slug, cause.title, f"{text}\n{' '.join(cause.raises)}")
    for name in library.classes:
        title, text = library.page(name)
        yield Document("error", name, title.partition(": ")[2], text)


def command_for(document: Document) -> str:
    """Return the command that shows a page."""
    return f"jaxtutor {'show' if document.kind == 'lesson' else 'explain'} {document.name}"


def _report(hit: Hit) -> dict[str, object]:
    document = hit.document
    return {
        "kind": document.kind,
        "name": document.name,
        "number": document.number,
        "title": document.title,
        "excerpt": hit.excerpt,
        "score": hit.score,
        "command": command_for(document),
    }


def _lines(app: App, hits: tuple[Hit, ...], others: int) -> Iterator[Text]:
    from rich.text import Text

    from jaxtutor.display.theme import visible

    prose, width = app.prose_renderer.prose, app.prose_renderer.width
    for hit in hits:
        document = hit.document
        kind = KINDS[document.kind] + (f" {document.number}" if document.number else "")
        head = Text.assemble((document.name, "title"), (f"  {kind}  ", "quiet"))
        yield head + prose(visible(document.title))
        if hit.excerpt:
            for line in prose(visible(hit.excerpt)).wrap(app.console, max(width - 4, 16)):
                yield Text("    ") + line
    if others > 0:
        yield Text(f"{others} more match: --all", style="quiet")
    if hits:
        yield Text(f"Open the first: {command_for(hits[0].document)}", style="quiet")
