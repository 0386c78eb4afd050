"""Tests what `lint` foresees: exceptions and reused keys, which nothing but the source shows."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from catalogue import catalogue
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.diagnosis.engine.findings import find, find_in_source
from jaxtutor.core.diagnosis.engine.source import read_module, read_modules
from jaxtutor.core.diagnosis.interpretation.flow import TWICE, Flow

ROOT = Path(__file__).parent.parent
LIBRARY = Library()
HEAD = """\
import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import scipy


"""


def foreseen(source: str) -> list[tuple[str, int]]:
    """Return the causes that lint foresees in a file, with their lines."""
    found = find_in_source(read_modules({"a.py": source}), LIBRARY)
    ours = (item.diagnosis for item in found if item.rule and item.rule.kind == "foreseen")
    return [(item.cause or "", item.line) for item in ours]


def marked(source: str) -> list[int]:
    """Return the lines that end with a mark."""
    return [n for n, line in enumerate(source.splitlines(), 1) if line.endswith("# here")]


SHOWN = {
    "if": (
        "traced-bool-in-if",
        """\
@jax.jit
def f(x):
    if x > 0:  # here
        x = -x
    return x
""",
    ),
    "elif": (
        "traced-bool-in-if",
        """\
@jax.jit
def f(x):
    if x.ndim:
        return x
    elif x.sum() > 0:  # here
        return -x
    return x
""",
    ),
    "while in its second round": (
        "traced-bool-in-while",
        """\
@jax.jit
def f(x):
    step = math.inf
    while abs(step) > 1e-6:  # here
        step = (x * x - 2) / (2 * x)
        x = x - step
    return x
""",
    ),
    "assert in a helper": (
        "traced-bool-in-assert",
        """\
def positive(x):
    assert x > 0  # here
    return x


f = jax.jit(lambda x: jnp.log(positive(x)))
""",
    ),
    "method that is called": (
        "traced-bool-in-if",
        """\
class Solver:
    def clip(self, x):
        if x > 1:  # here
            return 1.0
        return x

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return self.clip(jnp.sin(x))
""",
    ),
    "conditional expression under vmap": (
        "traced-bool-in-ternary",
        """\
f = jax.vmap(lambda x: x if x > 0 else -x)  # here
""",
    ),
    "and of two": (
        "traced-bool-in-and-or",
        """\
@jax.jit
def f(x, y):
    if x > 0 and y > 0:  # here
        return x
    return y
""",
    ),
    "chained comparison": (
        "traced-bool-in-chained-comparison",
        """\
@jax.jit
def f(x):
    return jnp.where(0 < x < 1, x, 0)  # here
""",
    ),
    "not": (
        "traced-bool-in-not",
        """\
@jax.jit
def f(x):
    flag = not x.any()  # here
    return flag
""",
    ),
    "body of a scan": (
        "traced-bool-in-if",
        """\
def step(best, x):
    if x > best:  # here
        best = x
    return best, best


jax.lax.scan(step, 0.0, jnp.arange(3.0))
""",
    ),
    "early return": (
        "traced-early-return",
        """\
@jax.jit
def f(xs, level):
    for i in range(xs.shape[0]):
        if xs[i] > level:  # here
            return i
    return -1
""",
    ),
    "recursion": (
        "traced-bool-in-recursion",
        """\
@jax.jit
def f(n):
    return 1 if n < 2 else n * f(n - 1)  # here
""",
    ),
    "builtin max": (
        "traced-bool-in-builtin-minmax",
        """\
@jax.jit
def f(x):
    return max(x, 0.0)  # here
""",
    ),
    "builtin any": (
        "traced-bool-in-builtin-sorted",
        """\
@jax.jit
def f(x):
    return any(x > 0)  # here
""",
    ),
    "float under grad": (
        "float-on-tracer",
        """\
def loss(w):
    return float(jnp.sum(w**2))  # here


jax.grad(loss)(jnp.ones(3))
""",
    ),
    "int": (
        "int-on-tracer",
        """\
@jax.jit
def f(x):
    return x[int(x[0])]  # here
""",
    ),
    "item": (
        "item-on-tracer",
        """\
@jax.jit
def f(x):
    return x.sum().item()  # here
""",
    ),
    "tolist": (
        "tolist-on-tracer",
        """\
@jax.jit
def f(x):
    return x.tolist()  # here
""",
    ),
    "math": (
        "python-math-on-tracer",
        """\
@jax.jit
def f(x):
    return math.exp(-x)  # here
""",
    ),
    "numpy": (
        "numpy-call-on-tracer",
        """\
@jax.jit
def f(x):
    return np.exp(x - x.max())  # here
""",
    ),
    "numpy of a list under grad": (
        "numpy-call-on-tracer",
        """\
def f(a):
    return np.array([jnp.cos(a), a]).sum()  # here


jax.jit(jax.grad(f))(1.0)
""",
    ),
    "scipy": (
        "scipy-call-on-tracer",
        """\
@jax.jit
def f(x):
    return scipy.special.gamma(x)  # here
""",
    ),
    "range": (
        "range-of-tracer",
        """\
@partial(jax.jit, static_argnames='m')
def f(x, n, m):
    for _ in range(m):
        x = x + 1
    for _ in range(n):  # here
        x = 2 * x
    return x
""",
    ),
    "shape": (
        "traced-shape-arg",
        """\
@jax.jit
def f(n):
    return jnp.zeros((n, 2))  # here
""",
    ),
    "arange": (
        "traced-arange-bound",
        """\
@jax.jit
def f(n):
    return jnp.arange(n)  # here
""",
    ),
    "nonzero": (
        "missing-static-size",
        """\
@jax.jit
def f(x):
    return jnp.nonzero(x > 0)[0]  # here
""",
    ),
    "mask": (
        "boolean-mask-index",
        """\
@jax.jit
def f(x):
    keep = x > 0
    return x[keep].sum()  # here
""",
    ),
    "store": (
        "inplace-assignment",
        """\
x = jnp.zeros(3)
x[0] = 1.0  # here
""",
    ),
    "store by at": (
        "inplace-assignment",
        """\
def f(x):
    x.at[0] = 1.0  # here
    return x


jax.jit(f)
""",
    ),
    "store in a function that gets an array": (
        "inplace-assignment",
        """\
def f(x, i):
    x[i] += 1  # here
    return x


f(jnp.zeros(3), 1)
""",
    ),
    "store where": (
        "masked-assignment",
        """\
@jax.jit
def f(x):
    x[x < 0] = 0  # here
    return x
""",
    ),
    "key drawn from twice": (
        "prng-key-reuse",
        """\
def f(key):
    a = jax.random.normal(key)
    return a + jax.random.uniform(key)  # here
""",
    ),
    "parent of a split": (
        "prng-key-reuse",
        """\
def f(key):
    one, two = jax.random.split(key)
    return jax.random.normal(key)  # here
""",
    ),
    "key in a loop": (
        "prng-key-reuse",
        """\
def f(key, x):
    for _ in range(3):
        x = x + jax.random.normal(key)  # here
    return x
""",
    ),
    "key in a comprehension": (
        "prng-key-reuse",
        """\
def f(key, sizes):
    return [jax.random.normal(key, (n,)) for n in sizes]  # here
""",
    ),
}


@pytest.mark.parametrize(("cause", "source"), SHOWN.values(), ids=SHOWN)
def test_what_will_raise_is_foreseen(cause: str, source: str) -> None:
    """A mistake is named at its line, and nothing else is."""
    text = HEAD + source
    assert foreseen(text) == [(cause, *marked(text))]


RIGHT = {
    "a shape": """\
@jax.jit
def f(x):
    if x.shape[0] > 2 and x.ndim == 1 and len(x) > 2:
        return x
    return -x
""",
    "static by name": """\
@partial(jax.jit, static_argnames=('n', 'mode'))
def f(x, n, mode):
    if mode == 1 and n > 2:
        return x[:n]
    return jnp.zeros(n)
""",
    "static by number": """\
def f(x, n):
    return x * n if n > 1 else x


g = jax.jit(f, static_argnums=(1,))
""",
    "static by a name elsewhere": """\
STATIC = ('n',)


@partial(jax.jit, static_argnames=STATIC)
def f(x, n):
    return x if n > 2 else -x
""",
    "a default, which stays a Python value": """\
@jax.jit
def f(x, flag=False, n=3):
    for _ in range(n):
        x = x if flag > 0 else -x
    return x
""",
    "bound by partial": """\
def f(n, x):
    return x if n > 2 else -x


g = jax.jit(partial(f, 3))
""",
    "is None": """\
@jax.jit
def f(x, mask):
    if mask is None or mask == 0:
        return x
    return x * mask
""",
    "isinstance": """\
@jax.jit
def f(x):
    if isinstance(x, float) and x > 0:
        return x
    return -x
""",
    "not mapped": """\
def f(x, n):
    return x if n > 2 else -x


g = jax.vmap(f, in_axes=(0, None))
""",
    "a container": """\
@jax.jit
def f(params):
    if not params or 'w' in params:
        return params
    params['b'] = 1.0
    return params
""",
    "a truth under grad": """\
def f(x):
    return x if x > 0 else -x


jax.grad(f)(1.0)
""",
    "NumPy on shapes and constants": """\
@jax.jit
def f(x):
    return x * np.prod(x.shape) + np.sqrt(2.0) + np.mean(x)
""",
    "NumPy on a copy": """\
x = jnp.zeros(3)
x = np.array(x)
x[0] = 1.0
""",
    "an exception is expected": """\
@jax.jit
def f(x):
    try:
        return x if x > 0 else -x
    except TypeError:
        return x
""",
    "values that are known": """\
@jax.jit
def f(x):
    with jax.ensure_compile_time_eval():
        if jnp.sum(jnp.ones(3)) > 2:
            return x
    return -x
""",
    "size is given": """\
@jax.jit
def f(x):
    return jnp.nonzero(x > 0, size=3)[0], jnp.where(x > 0, x, 0)
""",
    "an update with a mask": """\
@jax.jit
def f(x):
    return x.at[x > 0].set(0.0)
""",
    "a name that is given a Python value": """\
@jax.jit
def f(x):
    n = x.sum()
    n = x.shape[0]
    return jnp.zeros(n) + x[:n]
""",
    "a loop over leaves": """\
@jax.jit
def f(xs):
    total = 0.0
    for n, x in enumerate(xs):
        total = total + x if n > 1 else total
    return total
""",
    "Equinox keeps bools": """\
import equinox as eqx


@eqx.filter_jit
def f(x, flag):
    return x if flag == 1 else -x
""",
    "not compiled": """\
def f(x):
    return float(x) if x > 0 else np.exp(x)


f(jnp.ones(()))
""",
    "a function of the file called max": """\
def max(x, y):
    return jnp.maximum(x, y)


@jax.jit
def f(x):
    return max(x, 0.0)
""",
    "a method of a tree that is called as an update is": """\
@jax.jit
def f(state, x):
    return np.shape(x) if state.add(x) else np.array(state.set(x))
""",
    "a key of its own": """\
def f(key):
    key, sub = jax.random.split(key)
    a = jax.random.normal(sub)
    key, sub = jax.random.split(key)
    return a + jax.random.normal(sub)
""",
    "keys by index": """\
def f(key):
    keys = jax.random.split(key, 3)
    return jax.random.normal(keys[0]) + jax.random.normal(keys[1])
""",
    "split beside another value": """\
def f(key, n):
    keys, layers = jax.random.split(key, n), []
    return keys, layers
""",
    "one of two branches": """\
def f(key, flag):
    if flag:
        return jax.random.normal(key)
    return jax.random.uniform(key)
""",
    "folded": """\
def f(key):
    return [jax.random.normal(jax.random.fold_in(key, n)) for n in range(3)]
""",
    "rows of two arrays": """\
def f(key, x, y):
    return jax.random.permutation(key, x), jax.random.permutation(key, y)
""",
    "a key for each round": """\
def f(keys):
    return [jax.random.normal(key) for key in keys]
""",
}


@pytest.mark.parametrize("source", RIGHT.values(), ids=RIGHT)
def test_right_code_shows_nothing(source: str) -> None:
    """What may also be a plain Python value, or does no harm, is not reported."""
    assert foreseen(HEAD + source) == []


OTHER = {
    "programs/config_flag_not_static__size",
    "programs/not_a_key__iterator",
    "programs/wrong_static_argnums__index",
    "pages/inplace-assignment/failing",
    "drills/masked-assignment/dead-cells",
    "drills/wrong-static-argnums/stacked-tiles",
    "drills/wrong-static-argnums/lag-features",
    "drills/wrong-static-argnums/polynomial",
    "drills/wrong-static-argnums/repeated-throws",
    "spellings/traced-shape-arg/51",
    "spellings/traced-shape-arg/52",
    "spellings/traced-arange-bound/4",
    "spellings/traced-axis-arg/19",
}
"""Programs in which the run has another name or line for a mistake that is foreseen."""


def test_what_is_foreseen_is_what_the_run_shows() -> None:
    """In the programs of the tests, the cause and the line are those that the run has shown."""
    same, others = set[str](), set[str]()
    for program in catalogue().values():
        if not program.is_right:
            for cause, line in foreseen(program.source):
                is_same = cause == program.cause and program.line in (line, None)
                (same if is_same else others).add(program.name)
    assert others == OTHER
    assert len(same) > 270


def test_right_programs_show_nothing() -> None:
    """Neither the right programs of the tests, pages and drills nor solutions are reported."""
    programs = {item.name: item.source for item in catalogue().values() if item.is_right}
    for pattern in ("**/solution.py", "**/also/*.py"):
        paths = (ROOT / "lessons").glob(pattern)
        programs |= {str(path): path.read_text(encoding="utf-8") for path in paths}
    assert len(programs) > 1000
    found = {name: foreseen(source) for name, source in programs.items()}
    assert {name: it for name, it in found.items() if it} == {}


def test_loops_that_are_nested_deep_are_read_a_few_times() -> None:
    """What is read does not double with each loop around it."""
    lines = [f"{' ' * depth}for _ in range(2):" for depth in range(40)]
    source = "\n".join([*lines, f"{' ' * 40}draw()"])
    module = read_module("a.py", source)
    assert module is not None
    seen = list[ast.Call]()

    class Counted(Flow[str], ast.NodeVisitor):
        def visit_Call(self, node: ast.Call) -> None:
            if getattr(node.func, "id", "") == "draw":
                seen.append(node)

    Counted(module, {}).block(module.tree.body)
    assert len(seen) == 2**TWICE


def test_a_run_is_not_told_what_it_would_have_shown() -> None:
    """`diagnose` and `check` say what a run has shown, and do not foresee."""
    source = HEAD + SHOWN["if"][1]
    assert foreseen(source)
    assert find((), {"a.py": source}, LIBRARY) == ()
