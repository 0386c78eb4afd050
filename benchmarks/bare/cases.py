"""Tests a lesson as a person would with pytest: one test for each case and property.

The expected answers were computed before by the same calls of the solution, as jaxtutor caches
them. The variable `CASES` contains a folder, a function, a file to test, and a file of answers,
which is created if it is missing.
"""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import calls  # type: ignore[import-not-found] # pytest puts this file's folder first
import jax
import numpy as np
import pytest

FOLDER, FUNCTION, FILE, ANSWERS = os.environ["CASES"].split(os.pathsep)


def _leaves(answer: Any) -> list[Any]:
    return [_plain(leaf) for leaf in jax.tree.leaves(answer)]


def _plain(leaf: Any) -> Any:
    if isinstance(leaf, jax.Array) and jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        leaf = jax.random.key_data(leaf)
    plain = np.asarray(leaf)
    return plain if plain.dtype.kind in "biufc" else plain.astype(str)


CHECKS = calls.read(Path(FOLDER))
STEPS = list(calls.steps(CHECKS, calls.load(Path(FILE)), FUNCTION))
if Path(ANSWERS).exists():
    EXPECTED = pickle.loads(Path(ANSWERS).read_bytes())
else:
    solution = calls.load(Path(FOLDER, "solution.py"))
    made = calls.steps(CHECKS, solution, FUNCTION)
    EXPECTED = {name: _leaves(step()) for name, step in made}
    Path(ANSWERS).write_bytes(pickle.dumps(EXPECTED))


@pytest.mark.parametrize(("name", "step"), STEPS, ids=[name for name, _ in STEPS])
def test_answer(name: str, step: Any) -> None:
    """The answer equals the solution's."""
    answer = _leaves(step())
    if name == "jaxpr" or name.partition(" ")[0] in ("SameSize", "Uses", "Avoids", "Types"):
        return  # another program may give the same answer
    assert len(EXPECTED[name]) == len(answer)
    for mine, theirs in zip(answer, EXPECTED[name], strict=True):
        if mine.dtype.kind in "fc":
            np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-5)
        else:
            np.testing.assert_array_equal(mine, theirs)
