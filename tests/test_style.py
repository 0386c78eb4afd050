"""Tests rules for docstrings and for exceptions that no linter checks."""

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


PARSING = {"SyntaxError", "ValueError", "RecursionError", "MemoryError"}
"""What Python raises for a text that it cannot parse: null bytes and deep nesting included."""


def half_handled(source: str) -> list[int]:
    """Return the lines of `try` statements that parse Python and handle only some of `PARSING`."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Try) and node.handlers and parses(node.body)
        if (names := handled(node)).isdisjoint({"Exception", "BaseException"})
        if not names >= PARSING
    ]


def parses(body: list[ast.stmt]) -> bool:
    """Return whether statements parse a text as Python."""
    calls = [n for part in body for n in ast.walk(part) if isinstance(n, ast.Call)]
    return any(ast.unparse(call.func) in ("ast.parse", "compile") for call in calls)


def handled(node: ast.Try) -> set[str]:
    """Return the names of the exceptions that a `try` statement handles."""
    types = [handler.type for handler in node.handlers if handler.type is not None]
    return {n.id for it in types for n in ast.walk(it) if isinstance(n, ast.Name)}


def test_what_cannot_be_parsed_is_handled_whatever_the_reason() -> None:
    """A text that is nested too deeply is handled wherever one with a syntax error is."""
    faults = {
        path.relative_to(ROOT).as_posix(): lines
        for path in sorted((ROOT / "jaxtutor").rglob("*.py"))
        if (lines := half_handled(path.read_text(encoding="utf-8")))
    }
    assert {} == faults


@pytest.mark.parametrize(
    ("types", "lines"),
    [
        ("SyntaxError", [1]),
        ("(SyntaxError, ValueError, MemoryError)", [1]),
        ("(SyntaxError, ValueError, MemoryError, RecursionError)", []),
        ("BaseException", []),
    ],
)
def test_a_reason_that_is_not_handled_is_reported(types: str, lines: list[int]) -> None:
    """A `try` statement that handles only some of the exceptions is reported."""
    assert lines == half_handled(f"try:\n    ast.parse(x)\nexcept {types}:\n    pass\n")
    assert [] == half_handled(f"try:\n    f(x)\nexcept {types}:\n    pass\n")


def classes(root: Path) -> dict[str, list[str]]:
    """Return the files under a folder that define each class of a module's top level."""
    found: dict[str, list[str]] = {}
    for path in sorted(root.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(path.relative_to(root).as_posix())
    return found


# The library's own names, which its users know (docs/api.md).
PUBLIC = "diagnosis.py"


def repeated(root: Path) -> dict[str, list[str]]:
    """Return the classes that several files define; the names of the library are its own."""
    inner = {name: [f for f in files if f != PUBLIC] for name, files in classes(root).items()}
    return {name: files for name, files in inner.items() if len(files) > 1}


def test_every_class_has_a_name_of_its_own() -> None:
    """No two modules of the package define a class of the same name."""
    assert {} == repeated(ROOT / "jaxtutor")


def test_a_class_that_is_defined_twice_is_reported(tmp_path: Path) -> None:
    """A name that two modules define is reported, and that of the library is not."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "a.py").write_text("class Trial: ...\nclass Diagnosis: ...\n")
    (tmp_path / "inner" / "b.py").write_text("class Trial: ...\ndef f():\n    class A: ...\n")
    (tmp_path / "diagnosis.py").write_text("class Diagnosis: ...\nclass A: ...\n")
    assert {"Trial": ["a.py", "inner/b.py"]} == repeated(tmp_path)
