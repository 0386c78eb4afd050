"""Tests the search over lessons, causes and error classes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jaxtutor.cli import run
from jaxtutor.core.learning.search import LONGEST_EXCERPT, Document, search, words_of
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
    """What a learner would type finds the page among the first three."""
    assert 0 == run(["search", *query.split(), "--json"])
    report = json.loads(capsys.readouterr().out)

    assert [] == broken_promises(report, "search")
    assert expected in [hit["name"] for hit in report["results"][:3]]


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
    assert "Open the first: jaxtutor explain vmap-axis-mismatch" in capsys.readouterr().out
