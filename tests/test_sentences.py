"""Tests that no page has a hole where a name of its own example belongs."""

from __future__ import annotations

import pytest

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.diagnosis.engine import pages
from jaxtutor.core.diagnosis.engine.pages import FACTS, fill
from rule_tables import summaries

CAUSES = Library()


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an unknown fact be visible in a sentence."""
    monkeypatch.setattr(pages, "UNKNOWN", {fact: f"<{fact}>" for fact in FACTS})


def holes(text: str) -> set[str]:
    """Return the facts that a sentence of marked pages lacks."""
    return {fact for fact in FACTS if f"<{fact}>" in text}


def test_a_page_speaks_of_its_own_example(marked: None) -> None:
    """What a page says without a failure has the names of its first example: `./dev index`."""
    said = summaries()
    assert said == CAUSES.summaries
    assert {} == {slug: text for slug, text in said.items() if holes(text)}
    with_facts = {slug for slug, cause in CAUSES.items() if "{" in cause.summary}
    assert with_facts == set(said)


@pytest.mark.parametrize("slug", sorted(slug for slug, it in CAUSES.items() if it.example))
def test_the_facts_of_an_example_stand_in_it(slug: str) -> None:
    """Facts that a page gives by hand are code of its first example, or its numbers."""
    cause = CAUSES[slug]
    source = cause.examples[0].source
    facts = [fact for name, fact in cause.example.items() if name != "detail"]
    assert [] == [fact for fact in facts if fact not in source]
    assert "{" not in fill(cause.summary, cause.example)
