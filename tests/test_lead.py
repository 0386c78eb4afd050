"""Tests which sentences of a verdict come first, and where they are cut."""

from __future__ import annotations

import pytest

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.reporting.lead import cut, split_advice, split_sentences

LIBRARY = Library()


def test_a_full_stop_in_code_ends_no_sentence() -> None:
    """Sentences end before a capital letter or code, and not inside code."""
    text = "Use `a.b. C`. `x` is 0. e.g. this. Then go."

    assert ["Use `a.b. C`.", "`x` is 0. e.g. this.", "Then go."] == split_sentences(text)


@pytest.mark.parametrize(
    ("advice", "remedy"),
    [
        ("`x` is traced. Use `y`. Or `z`.", "Use `y`."),
        ("If it is a pair, declare it. Conversely, do not.", "If it is a pair, declare it."),
        ("`x` is None. JAX accepts it. Test for it.", "Test for it."),
        ("It is traced. Loops cannot end early: carry a flag. To search, use y.", None),
        ("Nothing here instructs anybody.", "Nothing here instructs anybody."),
        ("", ""),
    ],
)
def test_the_remedy_is_the_first_instruction(advice: str, remedy: str | None) -> None:
    """The remedy is the first sentence that says what to do."""
    expected = "Loops cannot end early: carry a flag." if remedy is None else remedy

    assert expected == split_advice(advice)[1]


@pytest.mark.parametrize("slug", LIBRARY.slugs)
def test_every_cause_has_a_remedy_of_one_row(slug: str) -> None:
    """The remedy of every cause fits into a row of 80 columns, whole or up to a clause."""
    explanation, remedy, _ = split_advice(LIBRARY[slug].advice)
    row, left = cut(remedy, 75, len)

    assert remedy not in explanation
    assert 0 < len(row) <= 75
    assert not left or row.endswith(" …")


@pytest.mark.parametrize(
    ("text", "row", "left"),
    [
        ("Short.", "Short.", ""),
        ("One sentence. And another sentence.", "One sentence.", "And another sentence."),
        ("Use `a` for one value, or `bbbbbb` for more.", "Use `a` for one value, …", None),
        ("Use `f(a, b, c, d, e, f)` now and here.", "Use `f(a, b, c, d, e, f)` …", None),
        ("nothingtocuthereatallbutletters", "nothingtocuthereatallbutletters", ""),
    ],
)
def test_a_row_ends_after_a_clause(text: str, row: str, left: str | None) -> None:
    """A long text is cut after a sentence, else after a clause, else between words."""
    head, tail = cut(text, 28, len)

    assert row == head
    assert (left if left is not None else "… " + text[len(row) - 2 :].strip()) == tail


@pytest.mark.parametrize("room", range(1, 60, 3))
@pytest.mark.parametrize("slug", LIBRARY.slugs[::10])
def test_nothing_is_lost_by_cutting(slug: str, room: int) -> None:
    """The row and what is left have all words of the text, in order."""
    text = LIBRARY[slug].advice
    row, left = cut(text, room, len)

    assert text.split() == [word for word in f"{row} {left}".split() if word != "…"]
