"""Tests which programs have the same fingerprint."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtutor.core.grading.fingerprint import LEAST_NODES, Fingerprint, fingerprint

PROGRAM = '''"""Scan."""
import jax
import jax.numpy as jnp


def running(xs):
    """Return running sums."""
    # Carry the sum.
    def step(carry, x):
        total = carry + x
        return total, total

    _, out = jax.lax.scan(step, jnp.zeros(()), xs)
    return out
'''


def same(source: str) -> bool:
    return fingerprint(PROGRAM) == fingerprint(source)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# Carry the sum.", "# Mine, all mine."),
        ('"""Return running sums."""', '"""Another docstring."""'),
        ('"""Scan."""\n', ""),
        ("total", "s"),
        ("carry", "acc"),
        ("step", "body"),
        ("running", "cumulative"),
        ("out", "result"),
        ("import jax\nimport jax.numpy as jnp", "import jax.numpy as np, jax as J"),
        ("import jax\n", "import jax\nimport os\n"),
        ("    return out", "\n\n    return (out)"),
        ("total, total", "(total, total)"),
    ],
)
def test_a_disguise_is_seen_through(old: str, new: str) -> None:
    """Comments, docstrings, names, parentheses and imports do not change the fingerprint."""
    changed = PROGRAM.replace(old, new)
    if "jnp" not in changed.replace("jnp.", ""):
        changed = changed.replace("jnp.", "np.").replace("jax.lax", "J.lax")
    assert (True, True) == (changed != PROGRAM, same(changed))


def test_an_import_written_another_way_is_seen_through() -> None:
    """What counts is what a name stands for."""
    changed = PROGRAM.replace("import jax\n", "from jax import lax\n").replace("jax.lax.", "lax.")
    assert same(changed)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("carry + x", "carry - x"),
        ("carry + x", "x + carry"),
        ("zeros", "ones"),
        ("zeros(())", "zeros((1,))"),
        ("return total, total", "return total, x"),
        ("lax.scan", "lax.map"),
        ("xs)\n    return", "xs, reverse=True)\n    return"),
    ],
)
def test_another_program_has_another_fingerprint(old: str, new: str) -> None:
    """Other operations, constants, functions and arguments are another program."""
    assert not same(PROGRAM.replace(old, new, 1))


@pytest.mark.parametrize("source", ["def f(:", "\0", "(" * 5000])
def test_what_is_not_python_has_none(source: str) -> None:
    """A file that cannot be parsed is compared by its text only."""
    assert fingerprint(source) is None


def test_a_short_program_says_nothing() -> None:
    """What is written beyond the starter decides."""
    starter, long = Fingerprint("s", 40), Fingerprint("l", 39 + LEAST_NODES)

    assert (False, True) == (long.is_telling(starter), long.is_telling(None))


def test_the_files_of_the_course_are_all_different() -> None:
    """Of two known submissions for one lesson, no two have the same fingerprint."""
    lessons = Path(__file__).parent.parent / "lessons"
    for folder in sorted(lessons.glob("*/*/")):
        files = [*folder.glob("also/*.py"), *folder.glob("mistakes/*.py"), folder / "solution.py"]
        found = [fingerprint(file.read_text(encoding="utf-8")) for file in files if file.exists()]
        digests = [it.digest for it in found if it is not None]
        assert len(digests) == len(set(digests)), folder
