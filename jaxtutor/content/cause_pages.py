"""Reads the pages of causes and error classes from disk, each on first use."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from pathlib import Path

import msgspec

from jaxtutor.content.guides import GUIDES, guide_text, guide_title
from jaxtutor.core.data.counterparts import Group
from jaxtutor.core.diagnosis.engine.pages import (
    COUNTERPART,
    Cause,
    explain,
    read_cause,
    read_class_page,
    read_title,
)
from jaxtutor.core.learning.search import Habit
from jaxtutor.core.learning.terms import Term

SUMMARIES = "summaries.json"
HABITS = "habits.toml"
TERMS = "terms.toml"
COUNTERPARTS = "counterparts.toml"
OF_EXAMPLE = "(The names are those of the first example below.)"
_FENCE = re.compile(r"^(```\w+) [^\n]*", re.M)


class _Habits(msgspec.Struct):
    habit: tuple[Habit, ...]


class _Terms(msgspec.Struct):
    term: tuple[Term, ...]


class _Counterparts(msgspec.Struct):
    introductions: dict[str, str]
    group: tuple[Group, ...]


class Library(Mapping[str, Cause]):
    """A mapping of slugs to causes. Each page is read once, on first use."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or Path(__file__).resolve().parent.parent / "causes"
        self._read: dict[str, Cause] = {}

    @cached_property
    def slugs(self) -> tuple[str, ...]:
        """The slugs of all causes, sorted."""
        return _names(self.folder)

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The names of the error classes that have a page, sorted."""
        return _names(self.folder / "classes")

    def title(self, name: str) -> str:
        """Return the title of a cause, an error class or a guide. Raises KeyError."""
        if name in GUIDES:
            return guide_title(name)
        return read_title(name, self._text(name))

    def _text(self, name: str) -> str:
        if name in self.classes:
            return (self.folder / "classes" / f"{name}.md").read_text(encoding="utf-8")
        if name in self.slugs:
            return (self.folder / f"{name}.md").read_text(encoding="utf-8")
        raise KeyError(name)

    @cached_property
    def summaries(self) -> Mapping[str, str]:
        """What the pages whose summary has names of a program say of their first example."""
        text = (self.folder / SUMMARIES).read_bytes()
        return msgspec.json.decode(text, type=dict[str, str])

    def habits(self) -> tuple[Habit, ...]:
        """Read what people look for by the word of another library."""
        found = msgspec.toml.decode((self.folder / HABITS).read_bytes(), type=_Habits)
        return found.habit

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The words of the field, in the order in which the course introduces them."""
        return msgspec.toml.decode((self.folder / TERMS).read_bytes(), type=_Terms).term

    @cached_property
    def _table(self) -> _Counterparts:
        text = (self.folder / COUNTERPARTS).read_bytes()
        return msgspec.toml.decode(text, type=_Counterparts)

    @property
    def counterparts(self) -> tuple[Group, ...]:
        """What JAX has for expressions of NumPy and PyTorch, by subject."""
        return self._table.group

    def page(self, name: str, summary: str = "") -> tuple[str, str]:
        """Return the title and text of the page of a cause, class or guide. Raises KeyError.

        The page of a cause begins with the summary of a program at hand, or of its own example.
        """
        if name in GUIDES:
            introduction = self._table.introductions[GUIDES[name]]
            return guide_title(name), guide_text(name, introduction, self.counterparts)
        if name in self.classes:
            return read_class_page(name, self._text(name))
        cause, shown = self[name], self.summaries.get(name, "")
        said = summary or (f"{shown} {OF_EXAMPLE}" if shown else "")
        return f"{name}: {cause.title}", explain(cause, said)

    def markdown(self, name: str, summary: str = "") -> str:
        """Return a page with its title, for programs that show Markdown. Raises KeyError.

        Only the language is left beside a fence: what the tests read there, `failing` or `fixed`,
        would be shown as text.
        """
        title, page = self.page(name, summary)
        return f"# {title}\n\n" + _FENCE.sub(r"\1", page)

    def read_ahead(self, then: Callable[[], None] | None = None) -> threading.Thread:
        """Import what recognises causes in a thread, which is returned and calls `then` at its end.

        That is what every program needs: the rules that read its source. The other rules, and the
        pages, are read when the index admits them.
        """

        def get_ready() -> None:
            import_module("jaxtutor.core.diagnosis.engine.findings").load_read_rules()
            if then is not None:
                then()

        thread = threading.Thread(target=get_ready, name="causes", daemon=True)
        thread.start()
        return thread

    def __getitem__(self, slug: str) -> Cause:
        if slug not in self._read:
            if slug not in self.slugs:
                raise KeyError(slug)
            cause = read_cause(slug, self._text(slug))
            if COUNTERPART in cause.forms:
                cause = msgspec.structs.replace(cause, counterparts=self.counterparts)
            self._read[slug] = cause
        return self._read[slug]

    def __iter__(self) -> Iterator[str]:
        return iter(self.slugs)

    def __len__(self) -> int:
        return len(self.slugs)


def _names(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in folder.iterdir() if path.suffix == ".md"))
