"""Tests the table of the texts of libraries that rules read, and that programs prove them."""

from __future__ import annotations

import re

import pytest

from jaxtutor.core.data.failures import Failure
from library_texts import TABLE, Reader, Text, table


def test_the_texts_that_rules_read_are_those_of_the_table() -> None:
    """Every text of a library that a rule reads is in the table, with what proves it.

    A text that no recorded failure has any more shows as `unproven`.
    """
    known = TABLE.read_text(encoding="utf-8").splitlines()
    assert known == table().splitlines(), "run ./dev index"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('"unhashable" in context.message', Text("unhashable", "words")),
        ('"unhashable" not in link.failure.message', Text("unhashable", "words")),
        ('context.message.startswith("unhashable")', Text("unhashable", "words")),
        ('context.message == "unhashable"', Text("unhashable", "words")),
        ("any(it in context.message for it in WORDS)", Text("unhashable", "words")),
        ('re.search(r"type \\w+", context.message)', Text(r"type \w+", "pattern")),
        ("PATTERN.match(context.message)", Text(r"type \w+", "pattern")),
        ('context.passed_through("scan")', Text("scan", "function")),
        ("context.raised_in(*WORDS)", Text("unhashable", "function")),
        ('any("pallas" in it for it in context.failure.jax_frames)', Text("pallas", "part")),
        ('context.failure.jax_frames[0].startswith("pallas")', Text("pallas", "part")),
        ("'name' in context.frame.names", None),
    ],
)
def test_a_text_is_found_where_it_is_read(source: str, text: Text | None) -> None:
    """A text is found in every form in which a rule reads a message or the names of functions."""
    namespace = {"re": re, "WORDS": ("unhashable",), "PATTERN": re.compile(r"type \w+")}
    body = f"def match(context):\n    return {source}\n"
    assert ([text] if text is not None else []) == list(Reader(body, namespace).texts())


PASSED = """
def match(context):
    said, frame = context.message, context.frame
    return ask(said)

def ask(text):
    return "axis" in text
"""


def test_a_message_is_followed_into_the_functions_of_a_module() -> None:
    """A text is found where a function reads a message that it got as an argument."""
    assert [Text("axis", "words")] == list(Reader(PASSED, {}).texts())


@pytest.mark.parametrize(
    ("text", "is_in"),
    [
        (Text("must be", "words"), True),
        (Text("must not", "words"), False),
        (Text(r"^axis (\d)$", "pattern"), True),
        (Text(r"axis [a-z]", "pattern"), False),
        (Text("scan", "function"), True),
        (Text("can", "function"), False),
        (Text("loops", "part"), True),
        (Text("pallas", "part"), False),
    ],
)
def test_a_failure_proves_the_texts_that_it_has(text: Text, is_in: bool) -> None:
    """A failure proves words and patterns of its message, and functions that it passed through."""
    failure = Failure("ValueError", (), "must be\naxis 1", jax_frames=("jax.loops.scan",))
    assert is_in == text.is_in(failure)
