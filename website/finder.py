"""Writes the data with which a page finds causes in the browser, by an error or by words.

`static/finder.js` reads it. What the rules of the causes know of a class and its message is in
their pages; the patterns of Python's `re` are written as JavaScript's.
"""

from __future__ import annotations

import json
import keyword
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from jaxtutor.content.cause_pages import Library
from jaxtutor.content.course import Course
from jaxtutor.core.learning.terms import Term
from website.cause_pages import last_part
from website.records import Run, drill_messages, known_classes
from website.sources import plain, shorten

LONGEST_SAYS = 150
LONGEST_MESSAGE = 800
_FLAGS = re.compile(r"^\(\?([ims]+)\)")
_NAMED = re.compile(r"\(\?P<\w+>")
_ANY = re.compile(r"\(\?s:\.([*+]?\??)\)")
_PYTHON_ONLY = re.compile(r"\(\?(?![:=!]|<[=!])[^)]{0,8}|(?<!\\)\\[AZ]|[*+?}]\+")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|\d+")
_FENCE = re.compile(r"^```\w*[^\n]*\n(.*?)^```", re.M | re.S)


class Item(Struct, frozen=True):
    """What the finder knows of a page, and how often each word occurs in it, weighted."""

    kind: str
    name: str
    title: str
    path: str
    says: str
    words: Mapping[str, int]
    classes: tuple[str, ...] = ()
    message: str = ""
    alone: str = ""
    starts: str = ""
    """The word that the line at fault of the page's example begins with, such as `if`."""
    leaks: bool = False
    """Whether the page's example uses a traced value after its trace has ended."""
    weight: int = 0
    """How common a cause is, from 0: the number of programs that are known to make it."""


def to_javascript(pattern: str) -> tuple[str, str]:
    """Return a pattern of Python's as one of JavaScript's, and its flags.

    The browser only asks whether it occurs, so groups lose their names. Raises ValueError for what
    JavaScript writes in no way that is known here.

    >>> to_javascript("(?s)a.*(?P<name>b)")
    ('a.*(?:b)', 's')
    >>> to_javascript("a(?s:.*?)b")
    ('a[^]*?b', '')
    """
    flags = _FLAGS.match(pattern)
    rest = pattern[flags.end() :] if flags else pattern
    rest = _ANY.sub(r"[^]\1", _NAMED.sub("(?:", rest))
    if strange := _PYTHON_ONLY.search(rest):
        raise ValueError(f"JavaScript has no {strange[0]} of the pattern {pattern!r}")
    return rest, "".join(sorted(flags[1])) if flags else ""


def words_of(text: str) -> list[str]:
    """Split a text into words in lower case; those of a name with capitals count as well."""
    found = []
    for word in _WORD.findall(text):
        if len(word) < 40:
            found.append(word.lower())
        parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", word)
        if len(parts) > 1:
            found += [part.lower() for part in parts]
    return [word for word in found if len(word) > 1]


def first_word(line: str) -> str:
    """Return the word that a line of code begins with; empty for one of another kind."""
    found = re.match(r"\s*([A-Za-z_]\w*)", line)
    return found[1] if found and keyword.iskeyword(found[1]) else ""


def _count(weighted: Iterable[tuple[str, int]]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for text, weight in weighted:
        for word in words_of(text):
            counts[word] += weight
    return dict(counts)


def cause_items(
    library: Library, runs: Mapping[str, Run], known: Mapping[str, int]
) -> Iterator[Item]:
    """Describe the causes that have a run. `known` has the number of programs that make each."""
    for slug, run in runs.items():
        cause = library[slug]
        prose = _FENCE.sub("", cause.body)
        code = cause.examples[0].source if cause.examples else ""
        marked = "\n".join(it for it in code.split("\n") if it.endswith("# error"))
        said = library.summaries.get(slug) or (run.diagnosis.summary if run.diagnosis else "")
        texts = (
            (slug.replace("-", " "), 4),
            (cause.title, 4),
            (cause.summary, 2),
            (run.message[:LONGEST_MESSAGE], 3),
            *((said[:LONGEST_MESSAGE], 1) for said in drill_messages(slug)),
            (cause.advice, 2),
            (prose, 1),
            (code, 1),
            (marked, 2),
        )
        yield Item(
            "cause",
            slug,
            cause.title,
            f"causes/{slug}/",
            shorten(plain(said or prose.strip().partition("\n\n")[0]), LONGEST_SAYS),
            _count(texts),
            tuple(dict.fromkeys(map(last_part, cause.raises))),
            cause.message,
            cause.alone.message if cause.alone is not None else "",
            first_word(marked),
            run.failure is not None and run.failure.leak is not None,
            known.get(slug, 0),
        )


def other_items(
    library: Library, classes: Iterable[str], course: Course, terms: Sequence[Term]
) -> Iterator[Item]:
    """Describe the classes, the lessons and the terms."""
    from jaxtutor.core.addresses import anchor

    for name in classes:
        title, page = library.page(name) if name in library.classes else (name, "")
        words = _count(((f"{name} {title}", 6), (_FENCE.sub("", page), 1)))
        yield Item("class", name, title, f"classes/{name}/", "", words)
    for lesson in course.every_lesson:
        info, slug = lesson.info, lesson.slug
        texts = ((f"{info.title} {slug} {' '.join(info.tags)}", 4), (info.new, 2), (lesson.page, 1))
        says = shorten(plain(info.new), LONGEST_SAYS)
        yield Item("lesson", slug, info.title, f"lessons/{slug}/", says, _count(texts))
    for term in terms:
        place = f"terms/#{anchor(term.name)}"
        words = _count(((f"{term.name} {' '.join(term.forms)}", 8), (term.says, 1)))
        yield Item("term", term.name, term.name, place, plain(term.says), words)


def data(items: Sequence[Item]) -> dict[str, object]:
    """Return what the script reads: the pages, where each word occurs, and the classes' bases."""
    places: dict[str, list[int]] = defaultdict(list)
    for number, item in enumerate(items):
        for word, count in item.words.items():
            places[word] += [number, min(count, 30)]
    return {
        "pages": [_page(item) for item in items],
        "lengths": [sum(item.words.values()) for item in items],
        "words": dict(places),
        "bases": {name: list(bases[1:]) for name, bases in known_classes().items() if bases[1:]},
    }


def _page(item: Item) -> dict[str, object]:
    page: dict[str, object] = {
        "kind": item.kind,
        "name": item.name,
        "title": plain(item.title),
        "path": item.path,
        "says": item.says,
    }
    if item.kind == "cause":
        page |= {"classes": item.classes, "weight": item.weight, "starts": item.starts}
        if item.leaks:
            page["leaks"] = True
        for key, pattern in (("message", item.message), ("alone", item.alone)):
            if pattern:
                page[key] = to_javascript(pattern)
    return page


def script(items: Sequence[Item]) -> str:
    """Return the data as a script, which a page can load without a server too."""
    text = json.dumps(data(items), separators=(",", ":"), ensure_ascii=False)
    return f"window.finderData={text};\n"
