"""Tests what the source shows of values that nothing reads, and of those read in their place."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from jaxtutor.core.diagnosis.causes.loops.first_rounds import read_first_rounds
from jaxtutor.core.diagnosis.causes.python.crossed_names import read_carries, read_unpacked
from jaxtutor.core.diagnosis.causes.python.outer_values import read_functions, read_items
from jaxtutor.core.diagnosis.causes.silent.unread_values import read_unread_values
from jaxtutor.core.diagnosis.engine.source import Definition, Module, read_module, read_modules
from jaxtutor.core.diagnosis.interpretation.liveness import LiveNames

pytestmark = pytest.mark.cause

HEAD = "import jax\nimport jax.numpy as jnp\n"


def parsed(source: str) -> Module:
    """Parse a source that has the usual imports."""
    module = read_module("program.py", HEAD + dedent(source))
    assert module is not None
    return module


def dead(body: str) -> list[str]:
    """List the names that a function binds with `= f(…)` and never reads."""
    tree = ast.parse(f"def g(x, y):\n{body}")
    function = tree.body[0]
    assert isinstance(function, Definition)
    live = LiveNames(function, function.body)
    made = (n for n in ast.walk(function) if isinstance(n, ast.Assign))
    return [
        target.id
        for statement in made
        for target in statement.targets
        if isinstance(target, ast.Name) and live.is_dead(statement, target.id)
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (" a = f(x)\n return x", ["a"]),
        (" a = f(x)\n return a", []),
        (" a = f(x)\n a = f(y)\n return a", ["a"]),
        (" for i in y:\n  h(x)\n  x = f(i)", []),
        (" for i in y:\n  x = i\n  h(x)\n  x = f(x)", ["x"]),
        (" while y:\n  x = f(y)\n  if x:\n   break\n  x = f(1)\n return x", []),
        (" for i in y:\n  if i:\n   a = f(i)\n   continue\n  a = 2\n return a", []),
        (" a = f(x)\n try:\n  a = h(x)\n except ValueError:\n  pass\n return a", []),
        (" a = f(x)\n with s:\n  a = h(x)\n return a", []),
        (" a = f(x)\n if y:\n  a = f(y)\n return a", []),
        (" a = f(x)\n return lambda: a", []),
        (" a = f(x)\n return locals()", []),
        (" a = f(x)\n del a", []),
        (" global a\n a = f(x)", []),
        (" match x:\n  case 1:\n   a = f(x)\n  case _:\n   a = f(y)\n return a", []),
    ],
)
def test_a_value_is_dead_if_no_path_reads_it(body: str, expected: list[str]) -> None:
    """Loops, branches, exceptions and nested functions may read what a statement binds."""
    assert dead(body) == expected


def test_loops_that_are_nested_deep_end() -> None:
    """What is nested deeper than a few loops is not read again and again."""
    lines = [" " * n + f"for i{n} in y:" for n in range(1, 19)]
    assert dead("\n".join([*lines, " " * 19 + "a = f(x)"])) == []


def forms(source: str) -> list[tuple[str, int]]:
    """Give the form and the line of each value that is not read, without the imports."""
    found = read_unread_values(parsed(source))
    return [(it.form, it.location.span.line - HEAD.count("\n")) for it in found]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(x):\n    y = jnp.clip(x, 0, 1)\n    return x\n", [("instead", 2)]),
        ("def f(g):\n    h(g)\n    g = jnp.clip(g, 0, 1)\n", [("late", 3)]),
        ("def f(w, x):\n    p = w(x)\n    return x\n", [("nowhere", 2)]),
        (
            "def f(x):\n    h = jnp.dot(x, 1)\n    h = jnp.dot(x, 2)\n    return h\n",
            [("overwritten", 2)],
        ),
        (
            "def f(x):\n    a = k(1)\n    r = a(x)\n    b = k(r)\n    return a(x)\n",
            [("again", 4)],
        ),
        ("x = jnp.ones(2)\ny = jnp.tanh(x)\nprint(x)\n", [("instead", 2)]),
        ("x = jnp.ones(2)\ny = jnp.tanh(x)\nz = jnp.sin(x)\n", []),
        ("def f(w, x):\n    _p = w(x)\n    return x\n", []),
        ("def f(w, x):\n    p, q = w(x)\n    return q\n", []),
        ("def f(w, x):\n    out = w(x)\n    return w(x)\n", []),
        ("def f(x):\n    out = jax.block_until_ready(x)\n    return x\n", []),
    ],
)
def test_the_form_says_what_is_read_instead(source: str, expected: list[tuple[str, int]]) -> None:
    """Calls that warm up, underscores and parts of tuples say that nothing is meant."""
    assert forms(source) == expected


FILES = {
    "scores.py": "def score(w, x):\n    loss = w * x\n    return x > 0, loss\n",
    "train.py": "from scores import score\nloss, accuracy = score(1.0, 2.0)\n",
}


def test_a_result_is_followed_into_an_imported_file() -> None:
    """The names of a `return` in another file are compared with those of the tuple."""
    found = list(read_unpacked(read_modules(FILES)))
    assert [(it.location.file, it.location.expression) for it in found] == [
        ("train.py", "loss, accuracy")
    ]


@pytest.mark.parametrize("names", ["accuracy, loss", "a, b", "loss_sign, loss"])
def test_names_that_fit_or_say_nothing_are_left(names: str) -> None:
    """Only names that stand on each other's places are found."""
    files = {**FILES, "train.py": f"from scores import score\n{names} = score(1.0, 2.0)\n"}
    assert not list(read_unpacked(read_modules(files)))


@pytest.mark.parametrize(
    ("start", "final", "expected"),
    [
        ("(speed, angle)", "(angle, speed)", ["initial"]),
        ("(angle, speed)", "(speed, angle)", ["final"]),
        ("(angle, speed)", "(angle, speed)", []),
        ("(0.0, 1.0)", "(a, b)", []),
    ],
)
def test_a_carry_keeps_its_order_on_its_way_in_and_out(
    start: str, final: str, expected: list[str]
) -> None:
    """What a loop begins with and what it returns have the names of the body."""
    module = parsed(
        f"""
        def body(carry, _):
            angle, speed = carry
            return (angle + speed, speed), None

        {final}, _ = jax.lax.scan(body, {start}, length=3)
        """
    )
    assert [it.form for it in read_carries(module)] == expected


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("n += x\n        return n", 1),
        ("out.append(x)\n        return out", 1),
        ("n = x\n        n += 1\n        return n", 0),
        ("n += x\n        if x:\n            continue\n        return n", 0),
        ("return x", 0),
        ("n += x\n        if x:\n            return n", 0),
    ],
)
def test_a_return_ends_a_loop_that_adds_up(body: str, count: int) -> None:
    """A loop that computes nothing over its rounds may look for the first item only."""
    module = parsed(f"def f(xs, n, out):\n    for x in xs:\n        {body}\n")
    assert len(list(read_first_rounds(module))) == count


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("xs = 1\ndef f(w, x):\n    return w * xs\nf(2, xs)\n", ["function"]),
        ("xs = 1\ndef f(w, x):\n    return w * xs\njax.vmap(f)(2, xs)\n", ["function"]),
        ("xs = 1\ndef f(w, x):\n    return w * xs\njax.lax.scan(f, 2, xs)\n", ["function"]),
        ("xs = 1\ndef f(w, x):\n    return w * xs\nf(2, 3)\n", []),
        ("xs = 1\ndef f(w, x):\n    return x * xs\nf(2, xs)\n", []),
        ("def g(x):\n    return x\ndef f(h, x):\n    return g(x)\nf(g, 1)\n", []),
        ("ys = [f(xs) for x in xs]\n", ["item"]),
        ("ys = [f(xs, i) for i, x in enumerate(xs)]\n", ["item"]),
        ("ys = [xs[i] for i, x in enumerate(xs)]\n", []),
        ("for _ in xs:\n    f(xs)\n", []),
        ("for x in xs:\n    xs = f(xs)\n", []),
    ],
)
def test_an_outer_value_stands_for_what_is_not_read(source: str, expected: list[str]) -> None:
    """The call passes the value, or the loop goes through it, so the two mean the same."""
    module = parsed(source)
    found = [*read_functions(module), *read_items(module)]
    assert [it.form for it in found] == expected
