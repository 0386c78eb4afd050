"""Tests finding the syntax tree node for a source span."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from textwrap import dedent

import pytest

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.engine import source
from jaxtutor.core.diagnosis.engine.source import Module, path_of, read_module, tight

SOURCE = dedent(
    """\
    import numpy as onp
    from jax import lax, numpy as jnp
    from math import exp


    @lax.map
    def clip(x, lo=0):
        é = onp.sin(x) if x > lo else jnp.where(
            x < 0,
            1, 2)
        out[x] = é
        return é


    scale = lambda v: 2 * v
    """
)


def module() -> Module:
    """Parse the source that all tests look at."""
    found = read_module("f.py", SOURCE)
    assert found is not None
    return found


def node(text: str) -> ast.AST:
    """Find the first expression with this text."""
    found = module()
    nodes = (n for n in ast.walk(found.tree) if isinstance(n, ast.expr) and found.text(n) == text)
    return next(nodes)


def test_a_span_and_its_text_belong_together() -> None:
    """The node found at a span has exactly the text of that span."""
    tree = module()
    for wanted in ("onp.sin(x)", "x > lo", "x < 0"):
        found = next(
            n for n in ast.walk(tree.tree) if isinstance(n, ast.expr) and tree.text(n) == wanted
        )
        assert wanted == tree.text(tree.node_at(tree.span(found)) or tree.tree.body[0])


def test_columns_count_characters() -> None:
    """A name of two bytes before an expression moves its column by one, not by two."""
    tree = module()
    call = next(n for n in ast.walk(tree.tree) if isinstance(n, ast.Call))
    assert Span(8, 8, 8, 18) == tree.span(call)
    assert "onp.sin(x)" == tree.text(Span(8, 8, 8, 18))


def test_no_node_has_a_span_beside_it() -> None:
    """A span without a node yields None and not its neighbour."""
    assert module().node_at(Span(8, 8, 8, 17)) is None


def test_text_over_several_lines_is_whole() -> None:
    """The text of an expression keeps its line breaks and indentation."""
    tree = module()
    calls = [n for n in ast.walk(tree.tree) if isinstance(n, ast.Call)]
    assert "jnp.where(\n        x < 0,\n        1, 2)" in [tree.text(call) for call in calls]


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("onp.sin", "numpy.sin"),
        ("jnp.where", "jax.numpy.where"),
        ("lax.map", "jax.lax.map"),
    ],
)
def test_aliases_are_resolved(written: str, path: str) -> None:
    """A callee is known by where it comes from, whatever it is called here."""
    assert path == module().dotted(ast.parse(written, mode="eval").body)


def test_a_name_that_was_not_imported_has_no_path() -> None:
    """What the file defines itself has no dotted path."""
    assert module().dotted(ast.parse("clip.x", mode="eval").body) is None


def test_a_function_is_found_by_its_decorator_line() -> None:
    """Python counts a decorated function from its first decorator."""
    found = module().function_at("clip", 6)
    assert isinstance(found, ast.FunctionDef)


def test_a_lambda_is_found_by_its_line() -> None:
    """A lambda has its own name for JAX, and is found on its line."""
    assert isinstance(module().function_at("<lambda>", 15), ast.Lambda)


def test_two_lambdas_on_one_line_are_not_distinguished() -> None:
    """Where two functions fit, none is chosen."""
    found = read_module("g.py", "pair = (lambda x: x, lambda y: y)\n")
    assert found is not None
    assert found.function_at("<lambda>", 1) is None


def test_a_conditional_expression_narrows_to_its_condition() -> None:
    """Of `a if c else b` the condition is shown."""
    tree = module()
    choice = next(n for n in ast.walk(tree.tree) if isinstance(n, ast.IfExp))
    assert "x > lo" == tree.text(tight(tree, choice))


def test_a_store_widens_to_its_statement() -> None:
    """Of `out[x] = v` the whole statement is shown."""
    tree = module()
    stores = [n for n in ast.walk(tree.tree) if isinstance(n, ast.Subscript)]
    assert "out[x] = é" == tree.text(tight(tree, stores[0]))


def test_a_header_ends_where_the_body_begins() -> None:
    """A function is shown by its first line alone."""
    tree = module()
    function = tree.function_named("clip")
    assert function is not None
    assert "def clip(x, lo=0):" == tree.text(tree.header(function))


def test_what_python_cannot_parse_is_no_module() -> None:
    """A syntax error gives None."""
    assert read_module("f.py", "def f(:\n") is None


def test_a_path_is_names_and_attributes_only() -> None:
    """A call in the middle makes it no path."""
    assert path_of(ast.parse("a.b().c", mode="eval").body) is None


def test_a_scope_is_read_once_for_all_of_its_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with thousands of functions is not walked again for each of their names."""
    walks = []

    walk = source.own_nodes

    def note(scope: ast.AST) -> Iterator[ast.AST]:
        walks.append(scope)
        return walk(scope)

    text = "b = 1\na = 2\nfor a in b: pass\nwith b as (c, a): pass\ndef f(): a = 3\n"
    tree = read_module("f.py", text)
    assert tree is not None
    monkeypatch.setattr(source, "own_nodes", note)
    found = {name: tree.assignments(name, tree.tree) for name in "abcfx"}

    lines = {name: [it.lineno for it in statements] for name, statements in found.items()}
    assert {"a": [2, 3, 4], "b": [1], "c": [4], "f": [5], "x": []} == lines
    assert [tree.tree] == walks
