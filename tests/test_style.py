"""Tests the rules for docstrings that no linter checks."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent

# Modules whose docstrings still have to be rewritten. Remove a module here when that is done.
OWNING = {
    "tests/test_cheats.py",
    "tests/test_compare.py",
    "tests/test_compiled.py",
    "tests/test_confine.py",
    "tests/test_grading.py",
    "tests/test_hostile.py",
    "tests/test_intact.py",
    "tests/test_judge.py",
    "tests/test_keeping.py",
    "tests/test_packaging.py",
    "tests/test_properties.py",
    "tests/test_runner.py",
    "trials/cheats.py",
    "trials/hostile.py",
}


def undocumented(source: str) -> list[str]:
    """Return the names of the tests in `source` that have no docstring."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    tests = [node for node in functions if node.name.startswith("test_")]
    return [test.name for test in tests if not ast.get_docstring(test)]


def opening_fault(source: str) -> str:
    """Return what is wrong with the first sentence of a module's docstring, or nothing."""
    first = (ast.get_docstring(ast.parse(source)) or "").partition("\n\n")[0]
    if not first:
        return "no docstring"
    if re.match(r"Owns\b", first):
        return "says what the module owns instead of what it does"
    is_phrase = re.match(r"[A-Z]\w* \S", first)
    return "" if is_phrase and first.endswith((".", ":")) else "is not a phrase with a full stop"


@pytest.mark.parametrize("path", sorted(HERE.rglob("test_*.py")), ids=lambda path: path.name)
def test_every_test_states_a_fact(path: Path) -> None:
    """Every test has a docstring."""
    assert [] == undocumented(path.read_text(encoding="utf-8"))


def test_a_test_without_a_fact_is_reported() -> None:
    """A test without a docstring is reported, and another function is not."""
    assert ["test_a"] == undocumented("def test_a(): pass\ndef b(): pass")


def modules() -> list[Path]:
    """Return the modules of tests, trials and benchmarks, without the programs under test."""
    folders = (ROOT / "trials", ROOT / "benchmarks")
    return sorted([*HERE.glob("*.py"), *(path for one in folders for path in one.rglob("*.py"))])


def test_every_module_says_what_it_does() -> None:
    """The docstring of every module begins with what the module does or tests."""
    faults = {
        name: fault
        for path in modules()
        if (name := path.relative_to(ROOT).as_posix()) not in OWNING
        if (fault := opening_fault(path.read_text(encoding="utf-8")))
    }
    assert {} == faults
    for name in ("tests/test_style.py", "trials/store/kills.py", "benchmarks/bare/calls.py"):
        assert ROOT / name in modules()


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ('"""Tests the store."""', ""),
        ('"""The store, tried."""', ""),
        ('"""Runs the trials:\n\n    ./dev trials\n"""', ""),
        ("import os", "no docstring"),
        ('""""""', "no docstring"),
        ('"""Owns the tests of the store."""', "owns"),
        ('"""tests the store."""', "phrase"),
        ('"""Tests."""', "phrase"),
        ('"""Tests the store"""', "phrase"),
    ],
)
def test_a_module_that_does_not_say_so_is_reported(source: str, fault: str) -> None:
    """A missing docstring, "Owns", a lower-case letter or an unfinished line is reported."""
    found = opening_fault(source)
    assert bool(fault) == bool(found)
    assert fault in found


DIAGNOSIS = ROOT / "jaxtutor/core/diagnosis"


def shared_private_names(sources: Mapping[str, str], most: int = 2) -> dict[str, list[str]]:
    """Return the private functions that more than `most` files define, with those files."""
    homes: dict[str, set[str]] = {}
    for file, source in sources.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef) and re.match(r"_[a-z]", node.name):
                homes.setdefault(node.name, set()).add(file)
    return {name: sorted(files) for name, files in homes.items() if len(files) > most}


def test_helpers_of_causes_have_names_of_their_own() -> None:
    """No private function of the diagnosis has a name that more than two files define.

    A helper with the same meaning belongs in `reading/`; another one needs a name that says what
    it is.
    """
    sources = {
        path.relative_to(DIAGNOSIS).as_posix(): path.read_text(encoding="utf-8")
        for path in DIAGNOSIS.rglob("*.py")
    }
    assert {} == shared_private_names(sources)


def test_a_shared_private_name_is_reported() -> None:
    """A private name in three files is reported; one in two files or a public one is not."""
    three, two = "def _made(): pass\ndef made(): pass", "class A:\n    def _found(self): pass"
    files = {"a.py": three, "b.py": three + "\n" + two, "c.py": three, "d.py": two}
    assert {"_made": ["a.py", "b.py", "c.py"]} == shared_private_names(files)
