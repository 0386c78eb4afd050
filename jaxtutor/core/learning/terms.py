"""Knows the terms of the field: where the course introduces each, and a sentence that says it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct


class Term(Struct, frozen=True):
    """A word of the field, in the forms in which texts have it, and what it means.

    `lesson` is the slug of the lesson that introduces it. An earlier lesson may use it if its page
    says with these words what it means, in the same paragraph: `explained`, by slug.
    """

    name: str
    says: str
    lesson: str
    forms: tuple[str, ...] = ()
    explained: Mapping[str, str] = {}

    def find(self, text: str) -> re.Match[str] | None:
        """Return the first place where a text has the term."""
        return _pattern(self.forms or (self.name,)).search(text)


def _pattern(forms: Iterable[str]) -> re.Pattern[str]:
    """Match any form. One that begins or ends with a letter is not matched within a word."""
    return re.compile(
        "|".join(
            (r"(?<![\w~])" if form[0].isalnum() else "")
            + re.escape(form)
            + (r"(?!\w)" if form[-1].isalnum() else "")
            for form in forms
        )
    )


class Glossary:
    """The terms, and which of them the learner has met when a lesson is open."""

    def __init__(self, terms: Sequence[Term] = (), lessons: Iterable[str] = ()) -> None:
        """Create the glossary of a course whose lessons have these slugs, in their order."""
        self.terms = tuple(terms)
        self._places = {slug: place for place, slug in enumerate(lessons)}

    def is_new(self, name: str, lesson: str) -> bool:
        """Return whether a lesson comes before the one that introduces a term.

        No term is new in a lesson of another course, or outside the course.
        """
        return any(term.name == name and self._is_new(term, lesson) for term in self.terms)

    def _is_new(self, term: Term, lesson: str) -> bool:
        here, there = self._places.get(lesson), self._places.get(term.lesson)
        if here is None or there is None:
            return False
        met = (there, *(self._places[slug] for slug in term.explained if slug in self._places))
        return here < min(met)

    def explain_new(self, text: str, lesson: str) -> Iterator[str]:
        """Yield what the terms of a text mean that are new in a lesson, in their order."""
        found = (
            (match.start(), term.says)
            for term in self.terms
            if self._is_new(term, lesson) and (match := term.find(text))
        )
        yield from (says for _, says in sorted(found))

    def look_up(self, word: str) -> Term | None:
        """Return the term that is written so, with capitals or without, of any shape."""
        wanted = _bare(word)
        spelt = ((term, map(_bare, (term.name, *term.forms))) for term in self.terms)
        return next((term for term, forms in spelt if wanted in forms), None)


def _bare(word: str) -> str:
    """Return a word as it is compared: without capitals, marks of code, and the shape of a type."""
    return word.casefold().partition("[")[0].strip(" `*.(")
