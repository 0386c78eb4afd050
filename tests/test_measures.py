"""Tests measurements that the error clinic relies on, such as leaks that a caller meets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxtutor.checks.lesson_check import Checker
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.processes.runner import Runner
from trials.sample_lessons import make_lesson

REPEATED = {
    "checks.py": """
import numpy as np

from jaxtutor.core.vocabulary import Call, Vmap

STATIC = ("times",)
PAIR = np.array([1.0, 2.0], np.float32)
EXAMPLES = [Call(PAIR, 2).gives([1.0, 2.0, 1.0, 2.0])]
PROPERTIES = [
    Vmap([Call(np.stack([PAIR, -PAIR]), times=2)], name="by-name"),
    Vmap([Call(np.stack([PAIR, -PAIR]), 2)], in_axes=(0, None), name="in-place"),
]
""",
    "solution.py": """
import jax.numpy as jnp


def double(x, times):
    return jnp.concatenate([x] * times)
""",
}

NAMED = {
    "checks.py": """
import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient

PAIR = np.array([1.0, 2.0], np.float32)
EXAMPLES = [Call(PAIR).gives([2.0, 4.0])]
PROPERTIES = [Gradient([Call(x=PAIR)])]
""",
}

ROUNDED = {
    "checks.py": """
import numpy as np

from jaxtutor.core.vocabulary import Call

EXAMPLES = [Call(np.array([np.pi], np.float32)).gives([0.0])]
""",
    "solution.py": """
import jax.numpy as jnp


def double(x):
    return jnp.sin(2 * x)
""",
}

RETURNED = """
HISTORY = []


def double(x):
    HISTORY.append(2 * x)
    return HISTORY[0]
"""


@pytest.fixture
def checker(tmp_path: Path) -> Iterator[Checker]:
    """Return a checker that explains failures."""
    runner = Runner()
    yield Checker(runner, Library(), tmp_path / "references", "cpu")
    runner.close()


def check(checker: Checker, folder: Path, files: dict[str, str], source: str) -> Verdict:
    """Check a submission to a lesson made of these files."""
    lesson = make_lesson(folder / "01_double", files)
    verdict = checker.check(lesson, source, folder / "mine.py")
    assert verdict is not None
    return verdict


def test_vmap_leaves_static_arguments_alone(checker: Checker, tmp_path: Path) -> None:
    """Arguments that are static under jit are static under vmap, by name or position."""
    verdict = check(checker, tmp_path, REPEATED, REPEATED["solution.py"])
    assert "passed" == verdict.status, verdict.headline


def test_a_call_that_does_not_fit_fails_its_check(checker: Checker, tmp_path: Path) -> None:
    """A property that calls the submission with an unknown parameter name fails its check."""
    verdict = check(checker, tmp_path, NAMED, "def double(y):\n    return 2 * y\n")
    failed = [check for check in verdict.checks if check.status == "failed"]
    assert ["gradient"] == [check.name for check in failed]
    assert "TypeError: missing a required argument: 'y'" == failed[0].detail


def test_a_stated_answer_is_as_exact_as_the_answers_dtype(checker: Checker, tmp_path: Path) -> None:
    """A stated 0 accepts a float32 that is 0 within rounding."""
    verdict = check(checker, tmp_path, ROUNDED, ROUNDED["solution.py"])
    assert "passed" == verdict.status, verdict.headline


def test_a_leak_that_is_returned_is_explained(checker: Checker, tmp_path: Path) -> None:
    """A returned leak, which raises outside the learner's frames, is diagnosed at its origin."""
    verdict = check(checker, tmp_path, {}, RETURNED)
    assert "raised" == verdict.status
    found = verdict.diagnosis
    assert found is not None
    assert found.span is not None
    assert ("leaked-by-append", 6) == (found.cause, found.span.line)
