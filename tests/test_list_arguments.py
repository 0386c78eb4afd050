"""Tests that a list is blamed only where the call at fault passes it."""

from __future__ import annotations

import pytest

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.failures import Failure, NameFact
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.diagnosis.engine.diagnose import diagnose

CAUSES = Library()
SOURCE = "import optax\ntx = optax.adam([1e-3])\nupdates = tx.update(grads)\n"


@pytest.mark.parametrize(("kind", "cause"), [("dict", None), ("list", "list-argument")])
def test_a_list_that_the_call_does_not_pass_is_not_blamed(kind: str, cause: str | None) -> None:
    """A setting that an optimizer was made with is a list: the call of `update` passes none."""
    failure = Failure(
        "TypeError",
        ("TypeError", "Exception"),
        "unsupported operand type(s) for *: 'list' and 'ArrayImpl'",
        frames=(Frame("a.py", "<module>", Span(3, 10, 3, 26)),),
        names=(NameFact("grads", kind, "1"),),
        call_names=((NameFact("grads", kind, "1"),),),
        jax_frames=("optax.scale", "jax.tree.map"),
    )
    found = diagnose(failure, {"a.py": SOURCE}, CAUSES)
    assert found is not None
    assert cause == found.diagnosis.cause
