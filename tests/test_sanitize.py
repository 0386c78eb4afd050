"""Tests how untrusted text is made safe to show."""

from __future__ import annotations

import pytest

from jaxtutor.core.data.sanitize import shorten, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a\u241b[31mb"),
        ("a\u2028b\u2029c", "a\\u2028b\\u2029c"),
        ("a\u202eb", "a\\u202eb"),
        ("a\x85b", "a\\u0085b"),
        ("a\tb\nc", "a    b\nc"),
        ("a\u200bb\u2060c\ufeffd\xade", "a\\u200bb\\u2060c\\ufeffd\\u00ade"),
        ("a\U000e0041b", "a\\U000e0041b"),
        ("\u0645\u06cc\u200c\u062e \U0001f469\u200d\U0001f393",) * 2,
        ("a\ud800b", "a\ufffdb"),
        ("naïve 数", "naïve 数"),
    ],
)
def test_what_a_terminal_would_obey_becomes_visible(text: str, shown: str) -> None:
    """Controls, separators and format characters are shown; letters with their joiners stay."""
    assert shown == visible(text)


@pytest.mark.parametrize("most", range(3, 12))
def test_a_long_text_loses_its_middle(most: int) -> None:
    """Its start and its end stay, and it is as long as it may be."""
    assert most == len(shorten("0123456789" * 2, most))
    assert ("01234", "01\u202698") == (shorten("01234", 5), shorten("0123456798", 5))
