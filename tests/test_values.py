"""Tests that unusual values and sources get the expected verdict."""

from __future__ import annotations

import pytest

from trials.hostile import check_all, made_place
from trials.values import find

KINDS = {kind.name: kind for kind in find()}
CORE = (
    "error_text_surrogates",
    "gives_deep_dict",
    "made_attributes",
    "made_latin1",
    "replaces_all_builtins",
    "wrapped_cycle",
)


def test_every_kind_says_what_it_does_and_what_becomes_of_it() -> None:
    """Every kind has a unique name, a sentence, a status, and text if it has only one status."""
    kinds = list(find())

    assert len(KINDS) == len(kinds)
    assert 40 <= len(kinds)
    assert [] == [kind.name for kind in kinds if not kind.does]
    assert [] == [
        kind.name for kind in kinds if not kind.expects.words and len(kind.expects.statuses) == 1
    ]


@pytest.mark.slow
def test_a_few_kinds_at_one_tutor() -> None:
    """A few kinds get their verdict in time in one session, and so does the next submission."""
    with made_place() as place:
        figures = list(check_all(place, [KINDS[name] for name in CORE]))

    assert [] == [figure for figure in figures if not figure.holds]
