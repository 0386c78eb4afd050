"""Tests when two runs of a script count as the same, and what an edit may change."""

from __future__ import annotations

import pytest

from jaxtutor.core.data.facts import ScriptFacts
from jaxtutor.core.data.values import ArrayValue, Leaf, Tree
from jaxtutor.core.diagnosis.editing.draft import reassigned
from jaxtutor.core.judging.equivalence import agree, differ_in_numbers


def facts(dtype: str) -> ScriptFacts:
    """Return a run that ended with a zero in `h`."""
    zero = ArrayValue((), dtype, False, "i" if dtype == "int32" else "f", data=bytes(4))
    tree = Tree("*", (Leaf("", zero),))
    return ScriptFacts(0, (), (("h", tree),))


ZERO_INT, ZERO_FLOAT = facts("int32"), facts("float32")


@pytest.mark.parametrize(("edited", "same"), [((), False), (("h",), True), (("x",), False)])
def test_an_edited_start_may_be_floating(edited: tuple[str, ...], same: bool) -> None:
    """A fix may turn `h = 0` into `h = 0.0`, and no other variable of the program."""
    assert same == agree(ZERO_INT, ZERO_FLOAT, ("", ""), edited)


def test_an_edited_start_may_not_become_an_integer() -> None:
    """A fix may not round what was floating."""
    assert not agree(ZERO_FLOAT, ZERO_INT, ("", ""), ("h",))


def test_names_are_reassigned_by_an_edit_of_their_own_value() -> None:
    """A name counts as edited if its own assignment changed, not if what it is made from did."""
    before = "h = 0\ny = f(h)\nk = 1\n"
    assert {"h"} == reassigned(before, before.replace("h = 0\n", "h = 0.0\n"))
    assert set() == reassigned(before, before + "z = 3\n")


def state_at(address: str, number: bytes = bytes(4)) -> ScriptFacts:
    """Return a run that ended with a train state, whose structure names a function in memory."""
    leaf = Leaf("", ArrayValue((), "float32", False, data=number))
    return ScriptFacts(0, (), (("s", Tree(f"TrainState[<function f at {address}>](*)", (leaf,))),))


def test_addresses_are_no_results() -> None:
    """Two runs agree if they differ only in where a function is in memory."""
    prints = ("<function f at 0x7f2c>: 1.5", "<function f at 0x8f41>: 1.5")
    assert agree(state_at("0x7f2c"), state_at("0x8f41"), prints)


def test_only_numbers_change() -> None:
    """Printed numbers, NaN among them, and elements may change; words and dtypes may not."""
    before, after = state_at("0x7f2c"), state_at("0x8f41", b"\0\0\x80\x3f")
    assert not agree(before, after, ("", ""))
    assert differ_in_numbers(before, after, ("loss nan", "loss 0.25"))
    assert not differ_in_numbers(before, after, ("loss 1.0", "error 1.0"))
    assert not differ_in_numbers(ZERO_INT, ZERO_FLOAT, ("", ""))
