"""Tests how untrusted text is made safe to show."""

from __future__ import annotations

import pytest

from jaxtutor.core.data.sanitize import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a\u241b[31mb"),
        ("a\u2028b\u2029c", "a\\u2028b\\u2029c"),
        ("a\u202eb", "a\\u202eb"),
        ("a\x85b", "a\\u0085b"),
        ("a\tb\nc", "a    b\nc"),
        ("a\ud800b", "a\ufffdb"),
        ("naïve 数", "naïve 数"),
    ],
)
def test_what_a_terminal_would_obey_becomes_visible(text: str, shown: str) -> None:
    """Controls, line separators and overrides are shown; letters and line feeds stay."""
    assert shown == visible(text)
