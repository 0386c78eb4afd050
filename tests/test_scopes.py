"""Tests which reads mean which name: in a function, and in what is nested in it."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from jaxtutor.core.diagnosis.engine.scopes import bound_in, outer_names, reads_of

PROGRAMS = Path(__file__).parent / "programs"
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def lines_read(source: str, name: str, scope: str = "") -> list[int]:
    """Return the lines in which a file, or a function of it, reads a name of its own."""
    tree: ast.AST = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == scope:
            tree = node
    return [read.lineno for read in reads_of(tree, name)]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("f = lambda: x", [1]),
        ("f = lambda x: x", []),
        ("f = lambda x=x: x", [1]),
        ("def f():\n  return x", [2]),
        ("def f(*x):\n  return x", []),
        ("def f():\n  x = 1\n  return x", []),
        ("def f():\n  x: int = 1\n  return x", []),
        ("def f():\n  for x in y:\n    x", []),
        ("def f():\n  with y as x:\n    x", []),
        ("def f():\n  import x\n  x", []),
        ("def f():\n  import a.x\n  x", [3]),
        ("def f():\n  from a import x\n  x", []),
        ("def f():\n  def x(): pass\n  x", []),
        ("def f():\n  try: pass\n  except E as x: x", []),
        ("def f():\n  if (x := 1): x", []),
        ("def f():\n  [x := 1 for y in z]\n  x", []),
        ("def f():\n  match y:\n    case [*x]: x", []),
        ("def f():\n  match y:\n    case A(x): x", []),
        ("def f():\n  match y:\n    case {**x}: x", []),
        ("def f():\n  x = 1\n  return lambda: x", []),
        ("def f():\n  def g():\n    nonlocal x\n    x = x + 1\n  x = 1", []),
        ("def f():\n  global x\n  x = x + 1", [3]),
        ("def f(x):\n  def g():\n    global x\n    return x", [4]),
        ("[x for x in x]", [1]),
        ("[x for y in z for x in y]", []),
        ("{x: y for y in z}", [1]),
        ("def f():\n  [x for x in y]\n  return x", [3]),
        ("class A:\n  x = x\n  def f(self): return x", [2, 3]),
        ("@x\ndef f(x: x) -> x:\n  return x", [1, 2, 2]),
    ],
)
def test_a_file_reads_its_own_names(source: str, lines: list[int]) -> None:
    """A read in a function counts for the file unless the function binds the name itself."""
    assert lines == lines_read(source, "x")


def test_a_function_reads_its_parameters() -> None:
    """The body of a function reads its parameter; a default of it, and a global name, do not."""
    source = "def f(x, y=lambda: x):\n  def g(): return x\n  def h(x): return x\n"
    assert [2] == lines_read(source, "x", "f")
    assert [] == lines_read("def f(x):\n  def g():\n    global x\n    return x", "x", "f")


def test_the_elements_of_a_comprehension_read_its_names() -> None:
    """What a comprehension goes through first is read outside of it."""
    rounds = ast.parse("[x for x in x if x]", mode="eval").body
    assert [1, 17] == [read.col_offset for read in reads_of(rounds, "x")]


def test_names_of_a_node_are_those_from_outside() -> None:
    """A name that a nested scope binds is none that the node around it reads."""
    node = ast.parse("f(lambda a: a + b, [c for c in d])", mode="eval").body
    assert {"f", "b", "d"} == outer_names(node)


def own_names(table: symtable.SymbolTable) -> Iterator[tuple[str, int, list[str]]]:
    """Yield the name, line and own names of each function that Python finds in a file."""
    for inner in table.get_children():
        yield from own_names(inner)
        if isinstance(inner, symtable.Function) and inner.get_name() not in COMPREHENSIONS:
            names = sorted(symbol.get_name() for symbol in inner.get_symbols() if symbol.is_local())
            yield inner.get_name(), inner.get_lineno(), names


COMPREHENSIONS = ("listcomp", "setcomp", "dictcomp", "genexpr")


@pytest.mark.parametrize("initial", "abcdefghijklmnopqrstuvwxyz")
def test_python_agrees_about_the_names_of_functions(initial: str) -> None:
    """The names that a function binds are those that the compiler of Python finds.

    Python 3.12 and later count what a comprehension binds as a name of the function around it.
    """
    for path in PROGRAMS.glob(f"{initial}*.py"):
        text = path.read_text(encoding="utf-8")
        try:
            tree, table = ast.parse(text), symtable.symtable(text, path.name, "exec")
        except SyntaxError:
            continue
        targets = (n.target for n in ast.walk(tree) if isinstance(n, ast.comprehension))
        rounds = {n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)}

        def known(names: Iterable[str], rounds: frozenset[str] = frozenset(rounds)) -> list[str]:
            return sorted(set(names) - rounds)

        functions = [n for n in ast.walk(tree) if isinstance(n, FUNCTIONS)]
        found = [(getattr(n, "name", "lambda"), n.lineno, known(bound_in(n))) for n in functions]
        expected = [(name, line, known(names)) for name, line, names in own_names(table)]
        assert sorted(expected) == sorted(found), path.name
