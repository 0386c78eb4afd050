"""Puts all pages of the site together, with the files that they show."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from catalogue import catalogue
from jaxtutor.content.cause_pages import Library
from jaxtutor.content.loading import load_course
from jaxtutor.core.addresses import anchor
from jaxtutor.core.reporting.cause_groups import group_causes
from website import finder
from website.cause_pages import cause_page, check_causes, list_pages
from website.class_pages import causes_by_class, class_pages
from website.course_pages import course_pages
from website.records import Run, read_run
from website.reference import DOCS, reference_pages
from website.schema_pages import schemas_page, write_schemas
from website.screens import screens
from website.sources import Names, SourcePage, link

SECTIONS = {
    "Find the cause": ("paste", "causes", "symptoms", "classes", "libraries", "terms"),
    "Learn": ("course", "guides"),
    "Reference": ("man", "api", "schemas", "changelog"),
}
EXTRA = "_extra"
"""The folder of files that the site has as they are, at the same paths."""
HOME = """
jaxtutor names what went wrong in a JAX program, and shows what to write instead. Its {causes}
causes have a page each, with code that fails and code that works; both are run by its tests.

```console
$ pip install .  # in a clone
$ jaxtutor diagnose train.py
```

- {paste}: finds the causes that its class and message admit.
- {causes_link}, {symptoms}, {classes}, {libraries}.
- {course}: lessons in your own editor, checked on every save.
- {numpy}, {pytorch}.
- {terms}: what the words of JAX mean.

![The screen of jaxtutor diagnose: the line at fault, why its value is traced, what to write]\
(/guides/pictures/diagnose-raised.svg)

## What they are about

{topics}
"""
FINDER = """
<div class="finder">
<label for="finder-text">A traceback, or its last lines</label>
<textarea id="finder-text" rows="12" spellcheck="false"></textarea>
<noscript>This page needs JavaScript. Without it, look for the class of your error.</noscript>
<div id="finder-results" role="status"></div>
</div>
"""


def all_pages(folder: Path, repository: str, only: Sequence[str] = ()) -> Iterator[SourcePage]:
    """Write the pictures and the finder's data into a folder, and yield all pages.

    `only` names the causes to write; the lists name all of them. Raises SiteError.
    """
    library, course = Library(), load_course(None)
    check_causes(library)
    by_class = causes_by_class(library)
    names = Names(
        {slug: f"causes/{slug}" for slug in library.slugs},
        {name: f"classes/{name}" for name in by_class},
        {it.slug: f"lessons/{it.slug}" for it in course.every_lesson},
    )
    runs = {slug: read_run(slug, library) for slug in library.slugs}
    _draw_screens(library, {slug: runs[slug] for slug in only or library.slugs}, folder)
    _write_finder(library, runs, by_class, folder)
    _copy_pictures(folder)
    write_schemas(folder / EXTRA)
    yield _home(library)
    yield _paste()
    yield from (cause_page(library[slug], library, runs[slug], names) for slug in only or library)
    yield from list_pages(library)
    yield from class_pages(library, runs, names)
    yield from course_pages(course, library.terms, names)
    yield from reference_pages(names, repository)
    yield schemas_page()


def _copy_pictures(folder: Path) -> None:
    """Copy the pictures that guides show to where their links lead."""
    shutil.copytree(DOCS / "pictures", folder / "guides" / "pictures")


def _draw_screens(library: Library, runs: dict[str, Run], folder: Path) -> None:
    pictures = folder / "screens"
    pictures.mkdir()
    with screens() as drawing:
        for slug, run in runs.items():
            if run.diagnosis is not None:
                title = f"jaxtutor diagnose: {library[slug].title}"
                text = drawing.draw(run, title)
                (pictures / f"{slug}.svg").write_text(text, encoding="utf-8")


def _write_finder(
    library: Library, runs: dict[str, Run], by_class: dict[str, list[str]], folder: Path
) -> None:
    known = Counter(it.cause for it in catalogue().values() if it.cause and not it.is_right)
    items = [
        *finder.cause_items(library, runs, known),
        *finder.other_items(library, by_class, load_course(None), library.terms),
    ]
    static = folder / "_static"
    static.mkdir()
    (static / "finder-data.js").write_text(finder.script(items), encoding="utf-8")


def _home(library: Library) -> SourcePage:
    text = HOME.format(
        causes=len(library),
        paste=link("Paste a traceback", "paste/index"),
        causes_link=link("All causes", "causes/index"),
        symptoms=link("by symptom", "symptoms/index"),
        classes=link("by error class", "classes/index"),
        libraries=link("by library", "libraries/index"),
        course=link("The course", "course/index"),
        numpy=link("Coming from NumPy", "guides/coming-from-numpy"),
        pytorch=link("Coming from PyTorch", "guides/coming-from-pytorch"),
        terms=link("Terms", "terms/index"),
        topics="\n".join(
            f"- {link(head, 'causes/index', anchor(head))} ({len(slugs)})"
            for head, slugs in group_causes(library.slugs).items()
        ),
    )
    trees = [
        "\n".join(
            [
                "```{toctree}",
                ":hidden:",
                f":caption: {head}",
                "",
                *(f"/{name}/index" for name in names),
                "```",
            ]
        )
        for head, names in SECTIONS.items()
    ]
    about = "What went wrong in a JAX program, and what to write instead: a page for each cause."
    tab = "jaxtutor: JAX errors explained, with code that fails and code that works"
    return SourcePage("index", "JAX errors, explained", "\n\n".join([text, *trees]), about, tab)


def _paste() -> SourcePage:
    text = (
        "Paste the traceback of a JAX program. The page finds its class and message, and the "
        "causes that both admit. Nothing leaves your browser. `jaxtutor explain -` reads the "
        f"program's lines as well.\n{FINDER}"
    )
    about = "Paste the traceback of a JAX program to find its cause, in your browser."
    return SourcePage(
        "paste/index", "Paste a traceback", text, about, widgets=frozenset({"finder"})
    )
