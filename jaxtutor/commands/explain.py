"""Implements `explain`: the pages of causes, error classes and guides, and their index."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

from rich.console import RenderableType
from rich.text import Text

from jaxtutor.app import App
from jaxtutor.commands import PASSED
from jaxtutor.commands.printing import print_long
from jaxtutor.content.guides import GUIDES
from jaxtutor.core.addresses import (
    class_address,
    guide_address,
    page_address,
    term_address,
)
from jaxtutor.core.data.lessons import suggest
from jaxtutor.core.learning.terms import Term
from jaxtutor.display.drawn_pages import StoredPage, markdown_page
from jaxtutor.display.theme import NARROW
from jaxtutor.errors import UsageError

HOW_TO_FIND = (
    "`jaxtutor explain NAME` shows one of these pages, `jaxtutor search WORDS` finds one, and "
    "`jaxtutor explain --choose` filters this list as you type."
)
MOST_MATCHES = 15
"""Pages that are listed for an ambiguous name."""


def explain(app: App, name: str | None) -> int:
    """Print the page of a cause or error class; without a name, the index; of `-`, a log."""
    if name == "-":
        from jaxtutor.commands.logs import explain_log

        return explain_log(app)
    if name is None:
        return _print_index(app)
    slug, title, page = _find_page(app, name)
    address = _address(app, slug)
    if app.options.json:
        from jaxtutor.core.reporting.outputs.learning import ExplainOutput

        app.print_json(ExplainOutput(name=slug, title=title, page=page, address=address))
        return PASSED
    text = f"# {title}\n\n{page}" + (f"\nThis page on the web: {address}\n" if address else "")
    print_long(app, markdown_page(text, app.options.plain, app.workspace.pages))
    return PASSED


def find_address(app: App, name: str, site: str) -> str | None:
    """Return the address of the page with a name, or a part of one. Raises UsageError."""
    return _address(app, _find_page(app, name)[0], site)


def _address(app: App, name: str, site: str | None = None) -> str | None:
    """Return the address of a page of `explain` on a site, if there is one."""
    if name in GUIDES:
        return guide_address(name, site)
    if name in app.library.classes:
        return class_address(name, site)
    is_cause = name in app.library
    return page_address(name, site) if is_cause else term_address(name, site)


def _find_page(app: App, name: str) -> tuple[str, str, str]:
    """Find a page by its exact name, by a term or by part of a name. Raises UsageError."""
    names = [*GUIDES, *app.library.slugs, *app.library.classes]
    wanted = name.rpartition(".")[2]
    exact = [known for known in names if known.lower() == wanted.lower()]
    if not exact and (term := app.glossary.look_up(name)) is not None:
        title = term.name if term.name.replace(" ", "").isalpha() else f"`{term.name}`"
        return term.name, title, _write_term(app, term)
    found = exact or [known for known in names if wanted.lower() in known.lower()]
    if len(found) == 1:
        title, page = app.library.page(found[0])
        return found[0], title, page
    if found:
        raise UsageError(
            f"{name!r} matches {len(found)} pages:\n{_list_pages(app, found)}",
            f"Type more of the name, or: jaxtutor search {name}",
        )
    close = suggest(wanted, names)
    remedy = f"Did you mean {' or '.join(close)}? Otherwise: " if close else "Look for it: "
    raise UsageError(f"No page is named {name!r}.", f"{remedy}jaxtutor search {shlex.quote(name)}")


def _write_term(app: App, term: Term) -> str:
    """Write the page of a term: what it means, and the lesson that introduces it if there is one.

    Another course than ours may have no such lesson.
    """
    lessons = [it for it in app.course.lessons if it.slug == term.lesson]
    where = [f"Lesson {it.number} introduces it: `jaxtutor show {it.slug}`" for it in lessons]
    more = f"Pages that have the word: `jaxtutor search {shlex.quote(term.name)}`"
    return "\n\n".join([term.says, *where, more])


def _list_pages(app: App, names: list[str]) -> str:
    """List pages with their titles, one in a line."""
    width = max(map(len, names[:MOST_MATCHES]))
    lines = [f"  {name:<{width}}  {app.library.title(name)}" for name in names[:MOST_MATCHES]]
    others = len(names) - MOST_MATCHES
    return "\n".join([*lines, *([f"  and {others} more"] if others > 0 else [])])


def _print_index(app: App) -> int:
    library = app.library
    causes = {slug: library.title(slug) for slug in library.slugs}
    classes = {name: library.title(name) for name in library.classes}
    if app.options.json:
        from jaxtutor.core.reporting.outputs.learning import ExplainIndexOutput

        app.print_json(ExplainIndexOutput(classes=classes, causes=causes))
        return PASSED
    from jaxtutor.core.reporting.cause_groups import group_causes

    groups = group_causes(causes)
    lists = {
        "Coming from another library": {name: library.title(name) for name in GUIDES},
        "Error classes of JAX": classes,
        **{head: {slug: causes[slug] for slug in slugs} for head, slugs in groups.items()},
    }
    text = f"{app.options.plain} {HOW_TO_FIND} {lists}"
    print_long(app, StoredPage(text, app.workspace.pages, lambda: _draw_index(app, lists)))
    return PASSED


def _draw_index(app: App, lists: Mapping[str, Mapping[str, str]]) -> RenderableType:
    from rich.console import Group
    from rich.table import Table

    parts: list[RenderableType] = [app.prose_renderer.prose(HOW_TO_FIND), Text()]
    width = max(len(name) for entries in lists.values() for name in entries)
    for head, entries in lists.items():
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(min_width=min(width, app.prose_renderer.width // 2))
        for name, title in entries.items():
            table.add_row(Text(name, style="code"), app.prose_renderer.prose(title))
        narrow = app.options.plain or app.prose_renderer.width < NARROW
        rows = _index_lines(app, entries) if narrow else [table]
        parts += [Text(head, style="title"), *rows, Text()]
    return Group(*parts)


def _index_lines(app: App, entries: Mapping[str, str]) -> Iterator[Text]:
    """Draw each name with its title; on a narrow terminal, later rows are indented."""
    for name, title in entries.items():
        line = Text.assemble((name, "code"), ": ", app.prose_renderer.prose(title), overflow="fold")
        if app.options.plain:
            yield line
            continue
        first, *others = line.wrap(app.console, app.prose_renderer.width)
        yield first
        rest = " ".join(row.plain.strip() for row in others)
        for row in app.prose_renderer.prose(rest).wrap(
            app.console, max(app.prose_renderer.width - 4, 16)
        ):
            yield Text("    ") + row
