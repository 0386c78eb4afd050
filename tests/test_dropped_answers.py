"""Tests of how calls that answer False to nobody are recognised."""

from __future__ import annotations

import sys
from textwrap import dedent
from types import ModuleType
from typing import Any

import pytest

from jaxtutor.core.data.observations import AnsweredFalse, Observation
from observed_program import observe

FILE, LIBRARY = "/learner/answers.py", "/lib/site-packages/store.py"
STORE = """
class Store:
    def __init__(self, least=0):
        self.least = least

    def save(self, step):
        return step >= self.least

    def close(self):
        return None
"""

pytestmark = pytest.mark.skipif(
    sys.version_info < (3, 12), reason="answers are seen by sys.monitoring"
)


def reported(source: str, library: str = LIBRARY) -> list[Observation]:
    """Run a program that has a class of a library, and return what is reported of its answers."""
    module = ModuleType("watched")
    exec(compile(STORE, library, "exec"), module.__dict__)
    return [it for it in observe(dedent(source), FILE, module) if isinstance(it, AnsweredFalse)]


def test_an_object_that_answers_false_each_time_is_seen() -> None:
    """The statement is named, with the number of calls, though another object answered True."""
    (seen,) = reported(
        """
        def run(store, steps):
            for step in steps:
                store.save(step)
                store.close()

        run(Store(), [1, 2, 3])
        run(Store(10), [1, 2, 3])
        """
    )
    assert isinstance(seen, AnsweredFalse)
    assert seen.times == 3
    assert seen.frame is not None
    assert seen.frame.span.line == 4


@pytest.mark.parametrize(
    "source",
    [
        "store = Store(3)\nfor step in range(5):\n    store.save(step)",
        "store = Store(9)\nstore.save(1)",
        "store = Store(9)\nfor step in range(5):\n    saved = store.save(step)",
        "store = Store(9)\nfor step in range(5):\n    print(store.save(step))",
        "save = Store(9).save\nfor step in range(5):\n    save(step)",
        "for step in range(5):\n    Store(9).save(step)",
        "import threading\nstop = threading.Event()\nfor _ in range(3):\n    stop.wait(0.001)",
    ],
)
def test_other_answers_are_not_seen(source: str) -> None:
    """An answer of True, a single one, one that is read, and one of Python itself are silent."""
    assert reported(source) == []


def test_the_answers_of_the_learners_own_classes_are_not_seen() -> None:
    """A method of the learner's may answer False as it likes."""
    assert reported("store = Store(9)\nfor step in range(5):\n    store.save(step)", FILE) == []


def test_nothing_is_observed_afterwards() -> None:
    """The tool of `sys.monitoring` is free again after a run."""
    reported("Store().save(1)")
    monitoring: Any = vars(sys)["monitoring"]
    assert [n for n in (3, 4) if monitoring.get_tool(n) is not None] == []


def test_code_that_was_observed_runs_on_afterwards() -> None:
    """A function that was observed calls a method for the first time after the run."""
    module = ModuleType("watched")
    exec(compile(STORE, LIBRARY, "exec"), module.__dict__)
    source = """
        def run(store, is_last):
            store.save(1)
            if is_last:
                store.close()

        run(Store(9), False)
        """
    observe(dedent(source), FILE, module)
    assert module.run(module.Store(9), True) is None
