"""Recognizes a file of tests that defines them and does not run them."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.engine.source import Module

_TEST_BASE = "unittest.TestCase"


def has_unrun_tests(module: Module) -> bool:
    """Return whether a file defines tests, and does nothing else when it runs as a script."""
    return any(_is_test(module, n) for n in module.tree.body) and not any(
        _calls_something(n) for n in module.tree.body
    )


def _is_test(module: Module, node: ast.stmt) -> bool:
    if isinstance(node, ast.ClassDef):
        is_case = any(module.dotted(base) == _TEST_BASE for base in node.bases)
        return is_case or node.name.startswith("Test")
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test_")


def _calls_something(node: ast.stmt) -> bool:
    """Return whether a statement at the top of a file calls something itself, to run it."""
    return isinstance(node, ast.Expr | ast.If | ast.For | ast.With | ast.Try) and any(
        isinstance(inner, ast.Call) for inner in ast.walk(node)
    )
