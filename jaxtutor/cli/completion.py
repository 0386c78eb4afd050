"""Completes lessons, causes, devices and settings in the shell; on any error it offers nothing.

It runs at every press of Tab, so it does not import jax. It opens the progress file only for the
number of an attempt.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from jaxtutor.errors import TutorError

Offers = list[tuple[str, str]]


class ParsedLine(Protocol):
    """What was parsed of the line; typer passes its own context to a parameter named `ctx`."""

    params: dict[str, Any]
    args: list[str]


_TITLE = re.compile(r'^title = "(.*)"$', re.MULTILINE)
_TITLED = ("lesson.toml", "project.toml")
_UNSAFE = re.compile(r"[^\w .,:;?!()+*/=-]")
"""Characters removed from titles: zsh evaluates the descriptions it receives."""


def complete_lesson(ctx: ParsedLine, incomplete: str) -> Offers:
    """Offer lessons by name, or by number if the word starts with a digit."""
    from jaxtutor.content.loading import load_course

    folder = ctx.params.get("course")
    with suppress(TutorError, OSError):
        loaded = load_course(Path(folder) if folder else None)
        by_number = incomplete[:1].isdigit()
        names = {it.number if by_number else it.slug: it.folder for it in loaded.every_lesson}
        if not by_number:
            names |= {project.name: project.folder for project in loaded.projects}
        return [(name, _title(names[name])) for name in matching(incomplete, names)]
    return []


def _title(folder: Path) -> str:
    """Read a title without parsing the TOML, which takes too long for a hundred lessons."""
    with suppress(OSError, UnicodeDecodeError, StopIteration):
        file = next(folder / name for name in _TITLED if (folder / name).exists())
        found = _TITLE.search(file.read_text(encoding="utf-8"))
        return _UNSAFE.sub("", found[1]) if found else ""
    return ""


def complete_page(incomplete: str) -> list[str]:
    """Offer guides, causes and error classes."""
    from jaxtutor.content.cause_pages import Library
    from jaxtutor.content.guides import GUIDES

    library = Library()
    return matching(incomplete, [*GUIDES, *library.slugs, *library.classes])


def complete_drill(incomplete: str) -> list[str]:
    """Offer the names of drills."""
    from jaxtutor.content.drill_pages import DrillPages

    drills = DrillPages().by_cause.values()
    return matching(incomplete, sorted(drill.name for found in drills for drill in found))


def complete_drilled_cause(incomplete: str) -> list[str]:
    """Offer the causes that have drills."""
    from jaxtutor.content.drill_pages import DrillPages

    return matching(incomplete, DrillPages().causes)


def complete_schema(incomplete: str) -> Offers:
    """Offer the names of outputs."""
    from jaxtutor.core.reporting.outputs.schemas import OUTPUTS, title_of

    return [(name, title_of(name)) for name in matching(incomplete, OUTPUTS)]


def complete_device(incomplete: str) -> list[str]:
    """Offer the devices that this machine probably has."""
    from jaxtutor.system.accelerators import look

    return matching(incomplete, look(os.environ).names())


def complete_chapter(ctx: ParsedLine, incomplete: str) -> Offers:
    """Offer chapters by number, or by the name of their folder."""
    from jaxtutor.content.loading import load_course

    folder = ctx.params.get("course")
    with suppress(TutorError, OSError):
        parts = load_course(Path(folder) if folder else None).parts
        by_number = incomplete[:1] in {*"0123456789P"} or not incomplete
        names = {it.label if by_number else it.folder.name.partition("_")[2]: it for it in parts}
        return [(name, _UNSAFE.sub("", names[name].title)) for name in matching(incomplete, names)]
    return []


def complete_course(incomplete: str) -> list[str]:
    """Offer the names of the courses that were added; the shell completes folders itself."""
    from jaxtutor.app import App
    from jaxtutor.options import Options

    with suppress(TutorError, OSError):
        names = [course.name for course in App(Options()).added_courses.all()]
        return matching(incomplete, names)
    return []


def complete_question(ctx: ParsedLine, incomplete: str) -> list[str]:
    """Offer the numbers of the questions of the lesson that was named."""
    from jaxtutor.content.loading import load_course

    folder = ctx.params.get("course")
    with suppress(TutorError, OSError):
        lesson = load_course(Path(folder) if folder else None).find(_given_lesson(ctx) or "")
        numbers = range(1, len(lesson.info.predict) + 1)
        return matching(incomplete, map(str, numbers))
    return []


def _given_lesson(ctx: ParsedLine) -> str | None:
    """Return the lesson on the line; before the value of an option it is not parsed yet."""
    found = ctx.params.get("lesson") or next(iter(ctx.args), None)
    return str(found) if found else None


def complete_attempt(ctx: ParsedLine, incomplete: str) -> Offers:
    """Offer the numbers of the attempts and of the saved copies, the newest first."""
    from jaxtutor.app import App
    from jaxtutor.options import Options

    given = (ctx.params.get(name) for name in ("course", "workspace"))
    course, workspace = (Path(folder) if folder else None for folder in given)
    app = App(Options(course=course, workspace=workspace), stderr=io.StringIO())
    with suppress(TutorError, OSError):
        if not app.workspace.progress.exists():
            return []
        slug = app.lesson(_given_lesson(ctx)).slug
        offers = [(str(it.n), it.status) for it in reversed(app.store.attempts(slug))]
        offers += [(f"k{it.n}", it.reason) for it in reversed(app.store.kept(slug))]
        return [(n, _UNSAFE.sub("", says)) for n, says in offers if n.startswith(incomplete)]
    return []


def complete_against(ctx: ParsedLine, incomplete: str) -> Offers:
    """Offer what `diff` compares with."""
    words = [(word, "") for word in matching(incomplete, ("starter", "solution"))]
    return words + complete_attempt(ctx, incomplete)


def complete_setting(incomplete: str) -> Offers:
    """Offer settings."""
    from jaxtutor.core.data.settings import BY_NAME

    return [(name, BY_NAME[name].says.rstrip(".")) for name in matching(incomplete, BY_NAME)]


def complete_value(ctx: ParsedLine, incomplete: str) -> list[str]:
    """Offer the values of the setting that was typed before."""
    from jaxtutor.core.data.settings import BY_NAME

    setting = BY_NAME.get(ctx.params.get("name") or "")
    return matching(incomplete, setting.words if setting else ())


def complete_layout(incomplete: str) -> list[str]:
    """Offer the layouts of the session."""
    from jaxtutor.core.data.settings import LAYOUTS

    return matching(incomplete, LAYOUTS)


def complete_key_table(incomplete: str) -> list[str]:
    """Offer the kinds of key bindings."""
    from jaxtutor.core.data.settings import KEYS

    return matching(incomplete, KEYS)


def complete_format(incomplete: str) -> list[str]:
    """Offer the formats for other tools."""
    from jaxtutor.cli.parameters import FORMATS

    return matching(incomplete, FORMATS)


def complete_when(incomplete: str) -> list[str]:
    """Offer when submissions are confined."""
    return matching(incomplete, ("always", "never"))


def matching(incomplete: str, names: Iterable[str]) -> list[str]:
    """Return the names that start with `incomplete`; shells show no others."""
    return [name for name in names if name.startswith(incomplete)]
