"""Tests which values the advice names where no cause is known: those that the message is about."""

from __future__ import annotations

import pytest

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.failures import Failure, NameFact
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.diagnosis.engine.diagnose import diagnose

LIBRARY = Library()
CALL = "solver.find(f, x, options={'lower': low}, steps=40)"
SOURCE = f"import solver\ndef g(f, x, low, count):\n    return {CALL}\n"
FRAME = Frame("program.py", "g", Span(3, 11, 3, 11 + len(CALL)))
NAMES = (NameFact("x", "array", "float32[7]"), NameFact("low", "number", "float"))


def advice_for(message: str) -> str:
    """Return the advice for a failure of the call."""
    failure = Failure("RuntimeError", (), message, (FRAME,), call_names=(NAMES,))
    found = diagnose(failure, {"program.py": SOURCE}, LIBRARY)
    assert found is not None
    assert found.diagnosis.cause is None
    return found.diagnosis.advice


@pytest.mark.parametrize(
    "message",
    ["The shapes do not fit.", "got 7 values for one", "x has no root", "no array was given"],
)
def test_shapes_are_listed_if_the_message_is_about_them(message: str) -> None:
    """A message about types, or one of a size or a name of the values, is answered by them."""
    assert "`x` is `float32[7]`" in advice_for(message)


@pytest.mark.parametrize(
    "message", ["The root is outside of the bracket", "(Accum(float32[7]), Accum(float32[]))"]
)
def test_shapes_are_left_out_otherwise(message: str) -> None:
    """A message about other things, or without a sentence, is not answered by shapes."""
    assert "float32" not in advice_for(message)


def test_what_the_call_passes_for_a_name_in_the_message_is_quoted() -> None:
    """A keyword of the call, and a key of a dict in it, are found in the library's words."""
    said = advice_for("No root between lower and upper after all steps")

    assert said == "The call passes `40` for `steps` and `low` for `lower`."


def test_the_operation_that_was_transformed_is_quoted() -> None:
    """JAX's record of the operation behind an exception says where it stands."""
    source = SOURCE.replace("import solver", "import solver; rule = a * b")
    at = Frame("program.py", "<module>", Span(1, 22, 1, 27))
    link = Failure("JaxStackTraceBeforeTransformation", (), "", (at,))
    failure = Failure(
        "AssertionError", (), "(ValAccum(f32[]), ValAccum(f32[]))", (FRAME,), linked=link
    )
    found = diagnose(failure, {"program.py": source}, LIBRARY)

    assert found is not None
    assert "while it transformed `a * b` (line 1)" in found.diagnosis.advice
