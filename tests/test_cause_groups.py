"""Tests the index of `explain`: causes below the heading of their topic."""

from __future__ import annotations

import pytest

from jaxtutor.cli import run
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.reporting.cause_groups import GROUPS, group_causes


def test_each_cause_is_below_one_heading() -> None:
    """Every cause is listed once, in order, and no heading is empty."""
    slugs = Library().slugs
    grouped = group_causes(slugs)

    assert list(slugs) == sorted(slug for found in grouped.values() for slug in found)
    assert list(GROUPS.values()) == list(grouped)
    assert all(found == sorted(found) for found in grouped.values())


@pytest.mark.parametrize(
    ("slug", "heading"),
    [
        ("traced-bool-in-if", "Traced values and compiled functions"),
        ("prng-key-reuse", "Random keys"),
        ("linen-compact-twice", "Flax"),
        ("optax-arguments-swapped", "Several libraries"),
    ],
)
def test_a_cause_is_grouped_by_its_rule(slug: str, heading: str) -> None:
    """The package of a cause's rule is its topic, and a library is a topic."""
    assert {heading: [slug]} == group_causes([slug])


def test_the_index_is_grouped(capsys: pytest.CaptureFixture[str]) -> None:
    """`explain` alone says first how to find a page, then lists the pages by topic."""
    assert 0 == run(["explain", "--plain"])
    lines = capsys.readouterr().out.splitlines()

    assert "jaxtutor explain NAME" in lines[0]
    assert lines.index("Random keys") < lines.index("Flax")


@pytest.mark.parametrize("name", ["xor", "qwertyuiop"])
def test_an_unknown_page_leads_to_the_search(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A name that is close to no page is looked for in their text, and no other page is guessed."""
    assert 2 == run(["explain", name])
    says = capsys.readouterr().err
    assert f"jaxtutor search {name}" in says
    assert "Did you mean" not in says
