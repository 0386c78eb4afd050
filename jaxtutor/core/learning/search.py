"""Ranks pages by how well they match some words: lessons, causes and error classes."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

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
_ENDINGS = ("ing", "ed", "es", "s")
_COMMON = frozenset("a an and are as at by for from how i in is it my of on or the to why".split())
_LINK = re.compile(r"\[([^\]]*)\]\([^)\s]*\)")
_REFERENCES = "Read on:"
"""How the line of a lesson begins that lists pages of JAX's documentation."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


class Document(Struct, frozen=True):
    """A page that can be found. `kind` is `lesson`, `cause` or `error`."""

    kind: str
    name: str
    title: str
    text: str
    number: str = ""  # of a lesson


class Hit(Struct, frozen=True):
    """A page that matches: how well, and a sentence of it with a match."""

    document: Document
    score: float
    excerpt: str


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without the commonest endings."""
    return [_stem(word) for word in _WORD.findall(text.lower())]


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_PREFIX:
            return word[: -len(ending)]
    return word


def search(query: str, documents: Iterable[Document]) -> tuple[Hit, ...]:
    """Return the pages that match, best first.

    A page with more of the words comes before one with fewer. Among equals, a word counts more in a
    name than in a title than in the text, and a rare word more than a common one.
    """
    wanted = _wanted(query)
    pages = [_WordCounts(document, wanted) for document in documents]
    rarity = {
        word: math.log(1 + len(pages) / (1 + sum(word in page.found for page in pages)))
        for word in wanted
    }
    hits = [(len(page.found), page.score(rarity), page.document) for page in pages if page.found]
    hits.sort(key=lambda hit: (-hit[0], -hit[1], hit[2].name))
    return tuple(
        Hit(document, round(score, 3), _excerpt(document, wanted)) for _, score, document in hits
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
            (f"{document.name} {document.number}", NAME),
            (document.title, TITLE),
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
