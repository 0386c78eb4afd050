"""Ranks pages by how well they match some words: lessons, chapters, causes and error classes."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Literal

from msgspec import Struct

PageKind = Literal["lesson", "chapter", "project", "cause", "error"]

NAME, TITLE, TEXT = 6.0, 4.0, 1.0
"""Weights of a match in the name, in the title, and in the text."""
PREFIX = 0.5
"""Share of a match of a whole word that a match of its beginning counts."""
LONGEST_QUERY = 20
"""Words. More than that is pasted text, in which the first words say enough."""
LONGEST_EXCERPT = 160
"""Characters: two rows of a terminal."""
SHORTEST_PREFIX = 3
"""Letters. Shorter beginnings match too many words."""
_WORD = re.compile(r"[a-z0-9]+")
_TOKEN = re.compile(r"\w+|[^\w\s.]+")
_ENDINGS = ("ing", "ed", "es", "s")
_COMMON = frozenset("a an and are as at by for from how i in is it my of on or the to why".split())
_LINK = re.compile(r"\[([^\]]*)\]\([^)\s]*\)")
_REFERENCES = "Read on:"
"""How the line of a lesson begins that lists pages of JAX's documentation."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


class Document(Struct, frozen=True):
    """A page that can be found."""

    kind: PageKind
    name: str
    title: str
    text: str
    number: str = ""  # of a lesson, a chapter or a project
    chapter: str = ""  # the name of a lesson's chapter
    tags: str = ""  # words that a lesson is about


class Hit(Struct, frozen=True):
    """A page that matches: how well, and a sentence of it with a match."""

    document: Document
    score: float
    excerpt: str


class Habit(Struct, frozen=True):
    """What JAX has for a word of another library, and the names of the pages about it."""

    phrases: tuple[str, ...]
    says: str
    pages: tuple[str, ...] = ()


def find_habit(query: str, habits: Iterable[Habit]) -> Habit | None:
    """Return the habit with the longest phrase whose words a query has all; None without one."""
    words = set(_TOKEN.findall(query.lower()))
    phrases = ((set(_TOKEN.findall(phrase)), habit) for habit in habits for phrase in habit.phrases)
    found = [(len(phrase), habit) for phrase, habit in phrases if phrase <= words]
    return max(found, key=lambda it: it[0])[1] if found else None


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without the commonest endings."""
    return [_stem(word) for word in _WORD.findall(text.lower())]


@cache  # of a quarter of a million words in the pages, few are different
def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_PREFIX:
            return word[: -len(ending)]
    return word


def search(
    query: str, documents: Iterable[Document], pages_first: Sequence[str] = ()
) -> tuple[Hit, ...]:
    """Return the pages that match, best first, after those of `pages_first`, which always match.

    A page matches if it has at least half of the words.
    A page with more of the words comes before one with fewer. Among equals, a word counts more in a
    name than in a title or a tag than in the text, and a rare word more than a common one.
    """
    wanted = _wanted(query)
    pages = [_WordCounts(document, wanted) for document in documents]
    rarity = {
        word: math.log(1 + len(pages) / (1 + sum(word in page.found for page in pages)))
        for word in wanted
    }
    first = {name: place for place, name in enumerate(pages_first)}
    enough = max(len(wanted) / 2, 1)
    hits = [it for it in pages if len(it.found) >= enough or it.document.name in first]
    scores = {page: page.score(rarity) for page in hits}
    hits.sort(
        key=lambda it: (
            first.get(it.document.name, len(first)),
            -len(it.found),
            -scores[it],
            it.document.name,
        )
    )
    return tuple(
        Hit(it.document, round(scores[it], 3), _excerpt(it.document, wanted)) for it in hits
    )


def _wanted(query: str) -> tuple[str, ...]:
    words = _WORD.findall(query.lower())
    telling = [word for word in words if word not in _COMMON] or words
    return tuple(dict.fromkeys(map(_stem, telling)))[:LONGEST_QUERY]


class _WordCounts:
    """How often each wanted word is in the parts of a page."""

    def __init__(self, document: Document, wanted: Sequence[str]) -> None:
        self.document = document
        parts = (
            (f"{document.name} {document.number} {document.chapter}", NAME),
            (f"{document.title} {document.tags}", TITLE),
            (_LINK.sub(r"\1", document.text), TEXT),
        )
        self.found: dict[str, float] = {}
        for text, weight in parts:
            counts = Counter(words_of(text))
            for word in wanted:
                longer = _count_longer(counts, word, anywhere=weight == NAME)
                matched = counts[word] + PREFIX * longer
                if matched:
                    value = weight * (1 + math.log(max(matched, PREFIX) + 1))
                    self.found[word] = self.found.get(word, 0.0) + value

    def score(self, rarity: dict[str, float]) -> float:
        return sum(value * rarity[word] for word, value in self.found.items())


def _count_longer(counts: Counter[str], word: str, anywhere: bool) -> int:
    """Count the longer words that begin with a word, or that contain it: `boolconversion`."""
    if len(word) < SHORTEST_PREFIX:
        return 0
    return sum(
        n
        for other, n in counts.items()
        if other != word and (word in other if anywhere else other.startswith(word))
    )


def _excerpt(document: Document, wanted: Sequence[str]) -> str:
    """Return the first sentence with the most of the words; empty if none has any."""
    best, most = "", 0
    for sentence in _sentences(document.text):
        words = words_of(sentence)
        found = sum(any(other.startswith(word) for other in words) for word in wanted)
        if found > most:
            best, most = sentence, found
    return best if len(best) <= LONGEST_EXCERPT else best[: LONGEST_EXCERPT - 1].rstrip() + "…"


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a page's prose, without headings, code and the targets of links."""
    is_code = False
    for line in _LINK.sub(r"\1", text).split("\n"):
        if line.startswith("```"):
            is_code = not is_code
        elif line.startswith(_REFERENCES):
            continue
        elif not is_code and (line[:1].isalpha() or line[:1] == "`"):
            yield from (part.strip() for part in _SENTENCE.split(line) if part.strip())
