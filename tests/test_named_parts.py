"""Tests which part of a value a message is about, and that a diagnosis begins with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from catalogue import Program, catalogue
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.failures import Failure, PassedPart
from jaxtutor.core.diagnosis.engine.named_parts import lead, named_parts
from recordings import Record, corners, diagnoses, records

CAUSES = Library()


def led(message: str, summary: str = "It failed.", part: PassedPart | None = None) -> str:
    """Return the summary of a failure without a cause, with the part in front of it."""
    return lead(Failure("TypeError", (), message, part=part), summary, has_cause=False)


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        (
            "The input carry component x[1]['count'] has type int32[] but the corresponding output "
            "carry component has type float32[3], so the shapes do not match.",
            "`x[1]['count']` goes into the loop as `int32[]`, and comes out as `float32[3]`.",
        ),
        (
            "The input carry at path [0] has type int32[] but the corresponding output "
            "carry component has type float32[], so the dtypes do not match.",
            "`[0]` goes into the loop as `int32[]`, and comes out as `float32[]`.",
        ),
        (
            "  * the input carry component loop_carry[1].a is a <class 'dict'> with 1 child but "
            "the corresponding component of the carry output is a <class 'NoneType'>, so their "
            "Python types differ.",
            "`carry.a` goes into the loop as a dict with 1 child, and comes out as None.",
        ),
        (
            "The output of branch 0 at path ['w'] has type float32[2,3] but the corresponding "
            "output of branch1 has type int32[], so the dtypes do not match.",
            "At `['w']` of the result, `branch 0` returns `float32[2,3]`, and `branch1` returns"
            " `int32[]`.",
        ),
        (
            "true_fun output at path [1] is a <class 'list'> but false_fun output at path [1] is a "
            "pytree leaf, so their Python types differ.",
            "At `[1]` of the result, `true_fun` returns a list, and `false_fun` returns one array.",
        ),
        (
            "Error interpreting argument to <function f at 0x1> as an abstract array. The "
            "problematic value is of type <class 'train.Schedule'> and was passed to the function "
            "at path state['rate'].\nThis typically means",
            "`state['rate']` is a `Schedule`.",
        ),
        (
            "function newton at a.py:3 traced for jit returned a value of type <enum 'Status'> at "
            "output component [1]['status'], which is not a valid JAX type",
            "`newton` returns a `Status`, at `[1]['status']` of its result.",
        ),
    ],
)
def test_the_part_that_a_message_names_is_said(message: str, sentence: str) -> None:
    """The path and the types in a message of JAX become the first sentence."""
    assert led(message) == f"{sentence} It failed."


def test_a_part_that_a_summary_names_is_not_said_again() -> None:
    """A summary whose first sentence has the path, or the field, stays as it is."""
    message = (
        "The input carry component s.count has type int32[] but the corresponding output carry "
        "component has type float32[], so the dtypes do not match."
    )
    for summary in ("`s.count` changes its dtype.", "The field `count` changes its dtype."):
        assert led(message, summary) == summary
    assert led(message, "It changes. `s.count` is it.").startswith("`s.count` goes into")


def test_a_name_of_a_librarys_parameter_is_not_said() -> None:
    """A path that is one name of a function may be a library's parameter."""
    message = (
        "The problematic value is of type <class 'function'> and was passed to the function at "
        "path b.\nThis"
    )
    assert led(message) == "It failed."


def test_the_part_that_the_worker_found_is_said() -> None:
    """Where a message has no path, the summary begins with what the frames show."""
    lone = PassedPart("start[3]", "the function `euler`", True)
    assert led("no path", part=lone) == "`start[3]` is the function `euler`. It failed."
    differs = PassedPart("a['b']", "`float32[]`", True, "c['b']", "None")
    assert (
        led("no path", part=differs) == "`a['b']` is `float32[]`, and `c['b']` is None. It failed."
    )
    lacks = PassedPart("a['b']", "`float32[]`", True, "c")
    said = "`a['b']` is `float32[]`, and `c` has nothing there. It failed."
    assert led("no path", part=lacks) == said


def test_the_keys_of_a_path_are_split() -> None:
    """Keys, indices and fields are the parts of a path that follow its first name."""
    message = (
        "input carry component x[1]['count'].a has type int32[] but the corresponding output carry "
        "component has type float32[], so"
    )
    assert [part.keys for part in named_parts(message)] == [("1", "count", "a")]


def deep_parts() -> Iterator[tuple[Program, Record]]:
    """Yield the recorded programs whose message names a part inside a container."""
    for of in corners():
        known = records(of)
        for name, program in catalogue().items():
            failure = known[name].failure if name in known else None
            if failure is not None and any(p.keys for p in named_parts(failure.message)):
                yield program, known[name]


def test_every_diagnosis_begins_with_the_part_that_its_message_names() -> None:
    """The first sentence has the path, or the field at its end, whatever the cause is."""
    silent = set()
    found = list(deep_parts())
    for program, record in found:
        made = diagnoses(record, program, CAUSES)[0]
        assert record.failure is not None
        parts = [p for p in named_parts(record.failure.message) if p.keys]
        first = made.summary.partition(". ")[0] if made is not None else ""
        if not any(p.path in first or f"`{p.keys[-1]}`" in first for p in parts):
            silent.add(program.name)
    assert not silent
    assert len(found) > 50
