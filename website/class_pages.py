"""Writes the pages of error classes: what a class means, and the causes that raise it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from jaxtutor.content.cause_pages import Library
from website.cause_pages import cause_row, last_part
from website.records import Run
from website.sources import Names, SourcePage, bare_links, link, shorten


def causes_by_class(library: Library) -> dict[str, list[str]]:
    """Return the causes that raise each class, by its last name; classes with a page come first."""
    found: dict[str, list[str]] = defaultdict(list)
    for slug, cause in library.items():
        for name in dict.fromkeys(map(last_part, cause.raises)):
            found[name].append(slug)
    order = sorted({*found, *library.classes}, key=lambda it: (it not in library.classes, it))
    return {name: found.get(name, []) for name in order}


def class_pages(library: Library, runs: Mapping[str, Run], names: Names) -> Iterator[SourcePage]:
    """Write a page for each class, and their list."""
    by_class = causes_by_class(library)
    rows = []
    for name, slugs in by_class.items():
        yield _class_page(name, slugs, library, runs, names)
        title = library.title(name) if name in library.classes else ""
        about = f": {title}" if title else ""
        rows.append(f"- {link(f'`{name}`', f'classes/{name}')}{about} ({len(slugs)})")
    text = "Each class, and how many causes are known to raise it.\n\n" + "\n".join(rows)
    about = "The exceptions of JAX, Flax, Equinox and other libraries, and what raises each."
    yield SourcePage("classes/index", "Error classes", text, about)


def _class_page(
    name: str, slugs: Sequence[str], library: Library, runs: Mapping[str, Run], names: Names
) -> SourcePage:
    title, body = library.page(name) if name in library.classes else (name, "")
    body = body.partition("\n\n## See also")[0]
    rows = [
        f"- {link(library[slug].title, f'causes/{slug}')}: {_said(runs[slug])}"
        if runs[slug].raises(name)
        else cause_row(library[slug])
        for slug in slugs
    ]
    heading = f"## All causes of `{name}`"
    text = "\n\n".join(
        filter(
            None,
            [
                bare_links(names.linked(body, f"classes/{name}")),
                "\n".join([heading, "", *rows]) if slugs else "",
            ],
        )
    )
    says = body.partition("\n\n")[0] or f"What raises {name} in a JAX program: {len(slugs)} causes."
    return SourcePage(f"classes/{name}", title, text, says)


def _said(run: Run) -> str:
    """Return the beginning of a message as code."""
    first = shorten(" ".join(run.message.partition(": ")[2].split()), 120)
    ticks = "``" if "`" in first else "`"
    space = " " if "`" in first else ""
    return f"{ticks}{space}{first}{space}{ticks}" if first else "no message"
