"""Tests which part of an exception's message is shown."""

from __future__ import annotations

import pytest

from jaxtutor.core.data.failures import Failure, NameFact, PassedPart
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.engine.fallback_summaries import excerpt, summarise
from jaxtutor.core.diagnosis.engine.phrases import counted, in_words, listed

SPECS = """shard_map applied to the function 'mean' was given an out_specs entry which is too long:

out_specs is P('d',) which has length 1, but mean(*args) has shape float32[]

Entries in out_specs must be of length at most the rank.

Consider `P()` instead."""


def test_the_second_paragraph_is_shown() -> None:
    """Without a cause, the summary has two paragraphs and the and not the rest."""
    assert [
        "shard_map applied to the function 'mean' was given an out_specs entry which is too long:",
        "out_specs is P('d',) which has length 1, but mean(*args) has shape float32[]",
        "Consider `P()` instead.",
    ] == summarise(Failure("ValueError", (), SPECS)).splitlines()


def test_what_a_colon_announces_is_shown() -> None:
    """A paragraph after a colon is shown, wherever it stands."""
    assert ("a", "b:", "c", "d") == excerpt("a\n\nb:\n\nc\nd").lines


def test_a_long_message_is_cut_and_does_not_end_in_a_colon() -> None:
    """At most eight lines are shown, the last one does not end in a colon, and the rest counts."""
    lines = [f"line {n}" for n in range(12)]
    lines[7] = "these are:"
    shown = excerpt("\n".join(lines))
    assert (tuple(lines[:7]), 5) == (shown.lines, shown.left)


def test_an_empty_message_has_a_sentence() -> None:
    """An exception without a message is named."""
    assert "It raised MLIRError here, and gave no message." == summarise(
        Failure("MLIRError", (), " \n\n ")
    )


def test_a_message_of_colons_is_shown() -> None:
    """A message of one line is shown even if it ends in a colon."""
    assert ("Invalid type:",) == excerpt("Invalid type:").lines


CALLBACK = """INTERNAL: CpuCallback error calling callback: Traceback (most recent call last):
  File "/lib/python3.13/site-packages/jax/_src/callback.py", line 72, in __call__
  File "f.py", line 2, in host
ValueError: not on this host"""


def test_a_traceback_in_a_message_is_shown_as_its_last_line() -> None:
    """What a callback raised is not lost behind the frames of JAX."""
    frames = [f'  File "jax/_src/f{n}.py", line {n}, in call' for n in range(20)]
    message = "\n".join(["calling callback: Traceback (most recent call last):", *frames, "E: why"])

    assert ("calling callback: E: why",) == excerpt(message).lines
    assert 0 == excerpt(message).left
    assert len(frames) < len(excerpt(message, whole=True).lines)


def test_the_inner_error_of_a_callback_is_the_summary() -> None:
    """Of a message with a traceback, its last line is shown."""
    assert "ValueError: not on this host" == summarise(Failure("JaxRuntimeError", (), CALLBACK))


@pytest.mark.parametrize(
    ("message", "line"),
    [(CALLBACK, 2), ("host() missing 1 required positional argument: 'y'", 1), ("no more", None)],
)
def test_a_place_is_read_from_the_message(message: str, line: int | None) -> None:
    """An exception without a frame of the learner's gets the line that its message names."""
    source = {"f.py": "def host(x):\n    raise ValueError(x)\n"}
    found = diagnose(Failure("JaxRuntimeError", (), message), source, {})
    span = found.diagnosis.span if found is not None else None
    assert line == (span.line if span is not None else None)


def test_names_in_a_sentence_are_joined_by_commas_and_and() -> None:
    """Two names are joined by "and", more by commas before it, and one thing has no plural."""
    assert ("`x`", "`x` and `y`", "`w`, `x` and `y`") == tuple(map(listed, ("x", "xy", "wxy")))
    assert ("one device", "2 devices") == (counted(1, "device"), counted(2, "device"))


def test_a_tuple_with_named_fields_is_called_by_its_class() -> None:
    """A library's named tuple is known by its class, and a plain one by its length."""
    named = NameFact("model", "tuple", "2", bases=("haiku._src.transform.Transformed",))
    assert in_words(named) == "a `Transformed`, a tuple with 2 items"
    assert in_words(NameFact("pair", "tuple", "1")) == "a tuple with 1 item"


def test_the_functions_that_make_a_tree_are_told_from_the_tree() -> None:
    """Of a pair such as Haiku's, passed where parameters belong, the function to call is named."""
    failure = Failure(
        "TypeError",
        (),
        "zeros_like requires ndarray or scalar arguments",
        (Frame("fit.py", "<module>", Span(1, 8, 1, 29)),),
        part=PassedPart("model.init", "the function `init_fn`", is_inner=True),
    )
    found = diagnose(failure, {"fit.py": "state = optimizer.init(model)\n"}, {})
    assert found is not None
    assert "call `model.init(…)`, and pass on what it returns" in found.diagnosis.advice
