"""Tests the rules for docstrings that no linter checks."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def undocumented(source: str) -> list[str]:
    """Return the names of the tests in `source` that have no docstring."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    tests = [node for node in functions if node.name.startswith("test_")]
    return [test.name for test in tests if not ast.get_docstring(test)]


@pytest.mark.parametrize("path", sorted(HERE.rglob("test_*.py")), ids=lambda path: path.name)
def test_every_test_states_a_fact(path: Path) -> None:
    """Every test has a docstring."""
    assert [] == undocumented(path.read_text(encoding="utf-8"))


def test_a_test_without_a_fact_is_reported() -> None:
    """A test without a docstring is reported, and another function is not."""
    assert ["test_a"] == undocumented("def test_a(): pass\ndef b(): pass")
