"""Tests the search over lessons, causes and error classes."""

from __future__ import annotations

import json
import re
from operator import attrgetter
from pathlib import Path

import pytest

from jaxtutor.cli import run
from jaxtutor.content.cause_pages import Library
from jaxtutor.content.loading import load_course
from jaxtutor.core.learning.search import (
    LONGEST_EXCERPT,
    Document,
    Habit,
    find_habit,
    search,
    words_of,
)
from json_page import broken_promises

PAGES = (
    Document("lesson", "column-stats", "Along another axis", "Maps over rows.\n\nUse vmap.", "6.3"),
    Document("cause", "vmap-axis-mismatch", "`vmap` over axes", "Sizes differ.\n```\naxis\n```"),
    Document("error", "TracerBoolConversionError", "Truth of a traced value", "An `if` needs it."),
    Document("cause", "zero-gradient", "A gradient of zero", "The axis is constant."),
)


def names(query: str) -> list[str]:
    """Return the names that a query finds, best first."""
    return [hit.document.name for hit in search(query, PAGES)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("vmap axis", ["vmap-axis-mismatch", "column-stats", "zero-gradient"]),
        ("gradients", ["zero-gradient"]),
        ("VMAP", ["vmap-axis-mismatch", "column-stats"]),
        ("boolconversion", ["TracerBoolConversionError"]),
        ("6.3", ["column-stats"]),
        ("how is the gradient", ["zero-gradient"]),
        ("nothing-of-this-kind", []),
        ("", []),
    ],
)
def test_pages_are_ranked(query: str, expected: list[str]) -> None:
    """More of the words come first, then names before titles before text."""
    assert expected == names(query)[: len(expected)]
    assert bool(expected) == bool(names(query))


def test_endings_do_not_matter() -> None:
    """A word is found in its commonest forms."""
    assert words_of("traces traced tracing") == ["trac", "trac", "trac"]


def test_an_excerpt_is_prose_with_the_word() -> None:
    """The excerpt is a sentence with the word, never code, and not longer than two rows."""
    (first, *_) = search("rows", PAGES)
    assert "Maps over rows." == first.excerpt

    (code, *_) = search("vmap axis", PAGES)
    assert "" == code.excerpt
    long = Document("cause", "x", "y", "word " * 200)
    assert LONGEST_EXCERPT >= len(search("word", [long])[0].excerpt)


def test_the_references_of_a_lesson_are_no_excerpt() -> None:
    """Neither a list of references nor the target of a link is shown or searched for words."""
    text = "Read on: [Scan](https://docs.jax.dev/scan.html).\nThe [scan](u.html) carries."
    page = Document("lesson", "x", "y", text)

    assert "The scan carries." == search("scan", [page])[0].excerpt
    assert () == search("html", [page])


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a new home."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("dropped update", "update-result-dropped"),
        ("nan gradient where", "nan-grad-through-where"),
        ("same key twice", "prng-key-reuse"),
        ("TracerBoolConversionError", "TracerBoolConversionError"),
        ("unrolled loop", "unrolled-loop"),
    ],
)
def test_the_course_and_the_causes_are_found(
    home: None, query: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a learner would type finds the page among the first three of its kind."""
    assert 0 == run(["search", *query.split(), "--json"])
    report = json.loads(capsys.readouterr().out)

    assert [] == broken_promises(report, "search")
    assert expected in [hit["name"] for hit in report["results"] if hit["kind"] != "lesson"]


def test_what_is_not_found_is_1(home: None, capsys: pytest.CaptureFixture[str]) -> None:
    """A search without a result says so and exits with 1; one without a word exits with 2."""
    assert 1 == run(["search", "qwertyuiop"])
    assert "Nothing matches 'qwertyuiop'" in capsys.readouterr().out
    assert 2 == run(["search", "---"])


def test_a_result_has_the_command_that_opens_it(
    home: None, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first result comes with the command that shows its page."""
    assert 0 == run(["search", "vmap", "axis"])
    assert "Open the first: jaxtutor show column-stats" in capsys.readouterr().out


# ---------------------------------------------------------------- groups


@pytest.mark.parametrize(("query", "chapter"), [("vmap", "6"), ("jit", "2"), ("scan", "4")])
def test_lessons_come_before_chapters_and_causes(
    home: None, query: str, chapter: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A search answers with at most three lessons, chapters and causes each, lessons first."""
    assert 0 == run(["search", query, "--json"])
    results = json.loads(capsys.readouterr().out)["results"]

    kinds = [hit["kind"] for hit in results]
    lessons = kinds.count("lesson")
    assert ["lesson"] * 3 == kinds[:lessons]
    assert "cause" == kinds[-1]
    assert len(kinds) <= 9
    assert chapter == results[0]["number"].partition(".")[0]


def test_a_chapter_is_opened_by_its_number(home: None, capsys: pytest.CaptureFixture[str]) -> None:
    """A chapter comes with the command that lists its lessons, and prints its number."""
    assert 0 == run(["search", "vmap", "--json"])
    results = json.loads(capsys.readouterr().out)["results"]
    assert "jaxtutor list 6" in [hit["command"] for hit in results if hit["kind"] == "chapter"]

    assert 0 == run(["search", "vmap"])
    assert "  vmap  chapter 6  vmap" in capsys.readouterr().out


def test_a_page_has_at_least_half_of_the_words() -> None:
    """A page with one word of three does not match."""
    assert [] == names("vmap nothing never")
    assert "zero-gradient" not in names("axis vmap mismatch")


# ---------------------------------------------------------------- the words of other libraries

HABITS = (Habit(("seed", "np random"), "keys"), Habit(("np random choice", "^"), "choice"))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("np.random.seed", "keys"),
        ("np.random.choice", "choice"),
        ("a ^ 2", "choice"),
        ("random", None),
        ("seeds", None),
    ],
)
def test_the_longest_phrase_decides(query: str, expected: str | None) -> None:
    """A phrase matches if the query has all of its words, and the longest one decides."""
    found = find_habit(query, HABITS)
    assert expected == (found and found.says)


def test_the_pages_of_a_habit_come_first() -> None:
    """They come in their order, and also if they have none of the words."""
    hits = search("vmap", PAGES, ("zero-gradient",))
    assert ["zero-gradient", "vmap-axis-mismatch"] == [hit.document.name for hit in hits[:2]]


@pytest.mark.parametrize(
    ("words", "says", "page"),
    [
        (["xor"], "A power is `x ** n`", ""),
        (["^"], "A power is `x ** n`", ""),
        (["power"], "`x ** n`", "power-fori"),
        (["numpy", "random"], "`jax.random.key(0)`", "two-draws"),
    ],
)
def test_a_word_of_another_library_is_answered(
    home: None, words: list[str], says: str, page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A sentence says what JAX has for it, and the page about it is the first."""
    assert 0 == run(["search", *words, "--json"])
    report = json.loads(capsys.readouterr().out)

    assert [] == broken_promises(report, "search")
    assert says in report["answer"]
    assert not page or page == report["results"][0]["name"]


def test_habits_name_pages_and_functions_that_exist() -> None:
    """Each page of a habit exists, and each name of JAX in its sentence."""
    import jax
    import jax.numpy as jnp

    library, course = Library(), load_course(None)
    known = {*library.slugs, *library.classes, *(it.slug for it in course.every_lesson)}
    habits = library.habits()

    assert [] == [page for habit in habits for page in habit.pages if page not in known]
    for habit in habits:
        for name in re.findall(r"\b(?:jax|jnp)(?:\.[a-z_]\w*)+", habit.says):
            attrgetter(name.partition(".")[2])({"jax": jax, "jnp": jnp}[name.partition(".")[0]])
