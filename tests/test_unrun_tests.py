"""Tests which files count as tests that a run as a script leaves out."""

from __future__ import annotations

import pytest

from jaxtutor.core.diagnosis.engine.source import read_module
from jaxtutor.core.diagnosis.engine.unrun_tests import has_unrun_tests

LEFT_OUT = (
    "def test_sum():\n    assert 1 + 1 == 2\n",
    "class TestSum:\n    def test_two(self):\n        pass\n",
    "import unittest\nclass Sums(unittest.TestCase):\n    pass\n",
)
RUN = (
    "def sum_of(x):\n    return x\n",
    "import pytest\ndef test_sum():\n    pass\nif __name__ == '__main__':\n    pytest.main()\n",
    "def test_sum():\n    pass\ntest_sum()\n",
)


@pytest.mark.parametrize("text", LEFT_OUT)
def test_tests_that_nothing_calls_are_left_out(text: str) -> None:
    """A script that only defines tests runs none of them."""
    module = read_module("sums.py", text)
    assert module is not None
    assert has_unrun_tests(module)


@pytest.mark.parametrize("text", RUN)
def test_a_program_that_calls_something_runs(text: str) -> None:
    """A program, or tests that the file runs itself, need no other command."""
    module = read_module("sums.py", text)
    assert module is not None
    assert not has_unrun_tests(module)
