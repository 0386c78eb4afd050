"""Tests which sentences of a verdict come first, and how they are shortened."""

from __future__ import annotations

import pytest

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.reporting.lead import shorten, split_advice, split_sentences

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
def test_every_cause_has_a_remedy(slug: str) -> None:
    """The advice of every cause has a sentence to show first, and none is lost or told twice."""
    advice = LIBRARY[slug].advice
    explanation, remedy, rest = split_advice(advice)

    assert remedy
    assert split_sentences(advice) == [*explanation, remedy, *rest]


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("Short.", []),
        ("One sentence. And another.", ["One sentence."]),
        ("`x` is traced: it has no value.", ["`x` is traced."]),
        ("One is `x[a: b]`; it (see: y) is two. Three.", [..., "One is `x[a: b]`."]),
        ("Nothing, or `lambda: x`, is left.", []),
    ],
)
def test_a_shorter_form_is_a_sentence(text: str, shorter: list[object]) -> None:
    """A text is shortened to its first sentence, and that to what stands before a colon."""
    found = list(shorten(text))

    assert len(shorter) == len(found)
    assert all(expected in (..., one) for expected, one in zip(shorter, found, strict=True))
