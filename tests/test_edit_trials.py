"""Tests how the notebook extension and the pytest plug-in try an edit in another process."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtutor.core.data.lines import unified
from jaxtutor.integrations import session_copy, trials

IMPORTS = "import jax\nimport jax.numpy as jnp\n%matplotlib inline"
FUNCTION = "@jax.jit\ndef keep(x):\n    if x.sum() > 0:\n        return x\n    return -x\n"
CALL = "y = keep(jnp.arange(3.0))"


def test_an_edit_is_tried_in_a_copy_of_the_session(tmp_path: Path) -> None:
    """The cells run again without magics, and the whole cell that changes is offered."""
    result = session_copy.try_fix("traced-bool-in-if", {1: IMPORTS, 2: FUNCTION, 5: CALL})
    assert result.words.startswith("Verified fix: ")
    assert "@jax.jit\ndef keep(x):\n    return jnp.where(x.sum() > 0, x, -x)\n" == result.source
    assert "--- In [2]\n+++ In [2]\n" in result.diff
    assert "```diff\n--- In [2]" in result.markdown


def test_an_edit_is_not_tried_if_the_failure_does_not_come_back() -> None:
    """Cells that need what a shell command made say that the edit was not tried."""
    cells = {1: IMPORTS + "\n!make data", 2: "open('no such file')", 3: FUNCTION, 4: CALL}
    result = session_copy.try_fix("traced-bool-in-if", cells)
    assert result.words.startswith("The edit was not tried: ")
    assert "'%matplotlib inline'" in result.words
    assert ("", "") == (result.diff, result.source)


def test_cells_that_await_are_left_out() -> None:
    """A program cannot await outside a function, so such a cell is skipped as magics are."""
    waiting = "import asyncio\nawait asyncio.sleep(0)"
    cells = {1: IMPORTS, 2: waiting, 3: FUNCTION, 4: CALL}
    assert session_copy.try_fix("traced-bool-in-if", cells).words.startswith("Verified fix: ")
    missed = session_copy.try_fix("traced-bool-in-if", {1: waiting, 2: "open('no such file')"})
    assert "'await asyncio.sleep(0)'" in missed.words


def test_without_the_command_line_nothing_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the command line's libraries are not installed the edit stays untried."""
    (tmp_path / "typer.py").write_text("raise ImportError('typer')\n")
    assert "not tried" == trials.try_edit("traced-bool-in-if", ["-c", "1"], tmp_path).status


def test_a_trial_that_takes_too_long_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A trial has a time limit, after which the edit counts as not tried."""
    monkeypatch.setattr(trials, "SECONDS", 0.1)
    assert "not tried" == trials.try_edit("x", ["-c", "while True: pass"], tmp_path).status


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb\nc\n", "a\nB\nC\nc\n"),
        ("a\n" * 20, "x\n" + "a\n" * 8 + "a\n" * 12 + "y\n"),
        ("a\nb\n", "b\n"),
        ("-- a\n++ b\n", "-- c\n++ d\n++ e\n"),
    ],
)
def test_a_diff_is_applied_to_its_file_only(before: str, after: str) -> None:
    """The new text is that of the diff; the hunks of other files change nothing."""
    other = unified("1\n", "2\n", ("/other", "/other"))
    diff = other + unified(before, after, ("/this", "/this")) + other
    assert after == trials.patched(before, "/this", diff)
    assert before == trials.patched(before, "/third", diff)
