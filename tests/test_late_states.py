"""Tests which new states count as put in place of the old ones only after a loop."""

from __future__ import annotations

import ast
from textwrap import indent

import pytest

from jaxtutor.core.diagnosis.causes.training.late_states import late_states
from jaxtutor.core.diagnosis.engine.source import read_module

pytestmark = pytest.mark.cause


def late(source: str) -> list[str]:
    """List the new states with the old ones, as `new old line`."""
    module = read_module("program.py", source)
    assert module is not None
    found = [it for n in module.nodes if isinstance(n, ast.Assign) for it in late_states(module, n)]
    return [f"{it.facts['name']} {it.facts['argument']} {it.facts['detail']}" for it in found]


def loop(body: str, after: str) -> str:
    """Return a program with a loop over batches."""
    return f"for x in xs:\n{indent(body, ' ')}\n{after}\n"


@pytest.mark.parametrize(
    ("body", "after", "found"),
    [
        ("new = f(s, x)", "s = new", ["new s 3"]),
        ("new, loss = f(s, x)", "s = new", ["new s 3"]),
        ("w = g(w, x)\nnew = f(s, w)", "s, total = new, 1", ["new s 4"]),
        ("s = g(s, x)\nnew = f(s.a, s.b)", "s = s._replace(a=new)", ["new s.a 4"]),
        ("s = g(s, x)\nnew = f(s.a, s.b)", "s.a = new", ["new s.a 4"]),
        ("w = g(w, x)\nnew = f(m.a, w)", "m = m.replace(a=new)", ["new m.a 4"]),
        ("new = f(s, x)\ns = new", "print(new)", []),
        ("new = f(s, x)\nprint(new)", "s = new", []),
        ("new = f(s, x)\nif x: print(new)", "s = new", []),
        ("new = f(s, x)\nh = lambda: new", "s = new", []),
        ("if x: new = f(s, x)", "s = new", []),
        ("new = f(s, x)\nif x: break", "s = new", []),
        ("new = wait(f(s, x).block_until_ready())", "s = new", []),
        ("new = f(s)", "s = new", []),
        ("new = f(s, x)", "t = new", []),
        ("new = f(s, x)", "print(new)", []),
        ("new = f(s, x)\ns = g(s)", "s = new", []),
        ("s = s._replace(a=x)\nnew = f(s.a)", "s = s._replace(a=new)", []),
        ("_new = f(s, x)", "s = _new", []),
    ],
)
def test_a_new_state_that_only_the_last_round_leaves_is_found(
    body: str, after: str, found: list[str]
) -> None:
    """A new state counts if no round reads it, and after the loop it takes the old one's place."""
    assert found == late(loop(body, after))


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("w, s = train(w, s)", ["new s 5"]),
        ("w, t = train(w, s)", []),
        ("s, w = train(w, s)", []),
        ("print(train(w, s))", []),
    ],
)
def test_the_caller_says_what_a_result_replaces(call: str, found: list[str]) -> None:
    """A returned state takes the place of the argument that the caller writes it to."""
    body = indent(loop("w = g(w, x)\nnew = f(s, w)", "return w, new"), " ")
    assert found == late(f"def train(w, s):\n{body}{call}\n")
