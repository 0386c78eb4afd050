"""Tests which results a rewritten program reports, and that it runs as before."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from jaxtutor.core.data.facts import KeptValue
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.data.values import ArrayValue
from jaxtutor.core.judging.evidence import Dependents, dependents, prints_more
from jaxtutor.worker.kept_values import KeptValues

FILE = "mine.py"


def run(source: str, paths: tuple[str, ...] = ()) -> tuple[KeptValues, dict[str, Any]]:
    """Run a rewritten program."""
    kept = KeptValues()
    names: dict[str, Any] = {"__name__": "__main__", "jnp": jnp}
    kept.install()
    exec(kept.compile(dedent(source), FILE, paths), names)
    return kept, names


def reported(source: str, paths: tuple[str, ...] = ()) -> list[tuple[str, int]]:
    """List the names and lines that a program reports."""
    values = run(source, paths)[0].values
    return [(item.name.removeprefix(f"{FILE}:"), item.line) for item in values]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("jnp.ones(2).sum()\n", [("", 1)]),
        (
            "def main():\n    x = 1.0\n    return x\nmain()\n",
            [("", 4), ("main.return", 1), ("main.x", 1)],
        ),
        ("def main():\n    x = 1\n    jnp.ones(x)\nmain()\n", [("", 3), ("main.x", 1)]),
        ("def f():\n    x = 1\n", []),
        ("def f():\n    yield 1\nlist(f())\n", [("", 3)]),
        ("def f():\n    '''Doc.'''\nassert f.__doc__ == 'Doc.'\nf()\n", []),
        ("class A:\n    def f(self):\n        jnp.ones(2)\nA().f()\n", []),
        ("if __name__ == '__main__':\n    jnp.ones(2)\n", [("", 2)]),
        ("print(1)\n", []),
    ],
)
def test_results_are_reported(source: str, expected: list[tuple[str, int]]) -> None:
    """Values of expressions, and variables of the functions that the program calls."""
    assert expected == reported(source)


def test_an_exception_ends_a_function_without_a_report() -> None:
    """What a function has computed until then is not a result, and the exception goes on."""
    kept, names = run(
        """
        def main():
            x = 1
            raise KeyError(x)

        try:
            main()
        except KeyError as error:
            caught = error
        """
    )
    assert ([], (1,)) == (kept.values, names["caught"].args)


def test_variables_are_reported_after_many_expressions() -> None:
    """A loop of expressions leaves room for what a function has computed."""
    source = "def main():\n    for n in range(1000):\n        abs(n)\n    x = 1\nmain()\n"
    assert ("main.x", 1) in reported(source)


def test_a_global_statement_still_works() -> None:
    """The body of a function keeps its meaning."""
    _, names = run("count = 0\ndef main():\n    global count\n    count = 3\nmain()\n")
    assert 3 == names["count"]


def failing_at(source: str, *frames: tuple[str, int]) -> Dependents:
    """Find what depends on a statement at the lines of some frames."""
    places = tuple(Frame(FILE, name, Span(line, 0, line, 1)) for name, line in frames)
    return dependents(Failure("TypeError", (), "", places), {FILE: source}, FILE)


@pytest.mark.parametrize(
    ("source", "line", "names"),
    [
        ("x = 1\ny = f(x)\nz = y + 1\nw = 2\n", 2, {"y", "z"}),
        ("a = 1\nf(a)\nb = a\n", 2, set()),
        ("s = 0\nfor i in range(3):\n    t = s + 1\n    s = f(s)\n", 4, {"s", "t"}),
        ("s = 0\na = s\ns = f(s)\n", 3, {"s"}),
        ("found = []\nfound.append(f(1))\nn = len(found)\n", 2, {"found", "n"}),
        ("with open(f) as g:\n    x, (y, z) = f(g)\n", 2, {"x", "y", "z"}),
        ("t = 1\nt += f(t)\n", 2, {"t"}),
        ("x[i] = f(1)\ny = i\nz = x\n", 1, {"x", "z"}),
        ("s.w = f(1)\nu = s.w + 1\nv = s.n\n", 1, {"s.w", "u"}),
        ("s.all.append(f(1))\nn = len(s.all)\n", 1, {"s.all", "n"}),
    ],
)
def test_dependents_follow_the_failed_statement(source: str, line: int, names: set[str]) -> None:
    """A variable that is bound before the failure, or without it, proves nothing."""
    assert names == failing_at(source, ("<module>", line)).names


def test_dependents_of_a_function_bear_its_name() -> None:
    """Variables of `main`, what it returns, and the line at the top that shows it."""
    source = "def main():\n    x = f(1)\n    return x\n\nmain()\n"
    names = {"mine.py:main.x", "mine.py:main.return"}
    assert Dependents(frozenset(names), frozenset({5})) == failing_at(
        source, ("<module>", 5), ("main", 2)
    )


def test_a_method_with_the_name_of_a_function_is_another() -> None:
    """Each function reports its variables with its own path."""
    source = (
        "def run():\n    x = 1\n\nclass A:\n    def run(self):\n        x = f(1)\n\nA().run()\n"
    )
    found = failing_at(source, ("<module>", 8), ("run", 6)).names
    assert {"mine.py:A.run.x"} == found


TRAINER = """
class Trainer:
    def __init__(self):
        self.w = 1.0

    def fit(self):
        loss = 2.0
        self.w = loss
        return loss

def run():
    def inner():
        y = 3.0
        return y
    return inner()

def values():
    z = 1.0
    yield z

Trainer().fit()
run()
list(values())
"""


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("Trainer.fit", {"Trainer.fit.loss", "Trainer.fit.self.w", "Trainer.fit.return"}),
        ("run.inner", {"run.inner.y", "run.inner.return"}),
        ("values", set()),
    ],
)
def test_functions_that_led_to_a_failure_report(path: str, names: set[str]) -> None:
    """Methods and inner functions report their variables, also those of `self`."""
    assert names <= {name for name, _ in reported(TRAINER, (path,))}
    assert not {n for n, _ in reported(TRAINER)} & names


def test_variables_are_those_of_the_last_return() -> None:
    """A function that is called in a loop has its result at the end."""
    kept, _ = run(
        "def f(n):\n    x = n * 1.0\n    return x\nfor n in range(99):\n    f(n)\n", ("f",)
    )
    found = [item for item in kept.values if item.name == f"{FILE}:f.x"]
    assert [98.0] == [run_value(item) for item in found]


def run_value(item: KeptValue) -> float:
    """Return the number in a reported value."""
    leaf = item.value.leaves[0].value
    assert isinstance(leaf, ArrayValue)
    return float(np.frombuffer(leaf.data or b"", np.float64)[0])


def test_nothing_is_reported_while_a_function_is_traced() -> None:
    """A function runs there each time that it is traced, and not each time that it is called."""
    source = "import jax\ndef f(x):\n    n = 3\n    return x\njax.make_jaxpr(f)(1.0)\n"
    assert not {name for name, _ in reported(source, ("f",))} & {"f.n", "f.return"}


@pytest.mark.parametrize(
    ("before", "after", "is_result"),
    [
        ("", "loss 0.3\n", True),
        ("step 1\n", "step 1\nloss 0.3\n", True),
        ("step 1\n", "step 1\n", False),
        ("", "done\n", False),
        ("", "phase 2\n", False),
        ("", "True\n", True),
        ("", "1.0\n", True),
    ],
)
def test_a_printed_line_is_a_result_if_the_program_does_not_contain_it(
    before: str, after: str, is_result: bool
) -> None:
    """A fixed text is printed by any program that runs to its end."""
    assert is_result == prints_more(before, after, "x = 1.0\nprint('done')\nprint('phase 2')\n")
