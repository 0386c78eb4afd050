"""Tests which misspelt names can only mean one other name."""

from __future__ import annotations

import pytest

from jaxtutor.core.diagnosis.causes.python.slips import is_slip


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("arrange", "arange"),
        ("sotfmax", "softmax"),
        ("Relu", "relu"),
        ("matmull", "matmul"),
        ("cummax", "cumax"),
        ("zerros", "zeros"),
        ("agsort", "agsrot"),
    ],
)
def test_a_slip_of_the_hand_is_recognised(written: str, meant: str) -> None:
    """Two letters changed places, one was doubled or not, or a capital differs."""
    assert is_slip(written, meant)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("log3", "log2"),
        ("cosd", "cos"),
        ("mad", "max"),
        ("loss", "losses"),
        ("param", "params"),
        ("var", "vra"),
        ("softmax", "softmax"),
        ("argmin", "argmax"),
    ],
)
def test_another_word_is_not_a_slip(written: str, meant: str) -> None:
    """A name that differs in a letter, or lacks one at the end, may mean something else."""
    assert not is_slip(written, meant)
