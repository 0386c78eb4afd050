"""Tests the search for leaked tracers and for their holders."""

from __future__ import annotations

import gc
import linecache
import sys
from collections.abc import Iterator
from textwrap import dedent
from types import ModuleType

import jax
import pytest

from jaxtutor.core.data.failures import Leak
from jaxtutor.worker import leaks

FILE = "/learner/leaky.py"
PRELUDE = "import functools\nimport jax\nimport jax.numpy as jnp\n"


@pytest.fixture(scope="module", autouse=True)
def small_heap() -> Iterator[None]:
    """Leave out the objects of the test run: to search them takes seconds in each test."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def learners_module() -> Iterator[None]:
    """Remove the program and its tracers after each test."""
    yield
    sys.modules.pop("leaky", None)
    jax.clear_caches()
    gc.collect()


def leaks_of(source: str) -> tuple[Leak, ...]:
    """Run a program and return its leaks."""
    text = PRELUDE + dedent(source)
    linecache.cache[FILE] = (len(text), None, text.splitlines(keepends=True), FILE)
    module = ModuleType("leaky")
    module.__file__ = FILE
    sys.modules["leaky"] = module
    exec(compile(text, FILE, "exec"), module.__dict__)
    return leaks.live_leaks(lambda file: file == FILE)


@pytest.mark.parametrize(
    ("source", "holder", "path"),
    [
        ("acts = []\njax.jit(lambda x: acts.append(x * 2) or x)(1.0)", "list", "acts"),
        ("acts = []\njax.grad(lambda x: acts.append(x * 2) or x)(1.0)", "list", "acts"),
        ("acts = []\njax.vmap(lambda x: acts.append(x * 2) or x)(jnp.ones(2))", "list", "acts"),
        ("memo = {}\n@jax.jit\ndef f(x):\n    memo['a'] = x\n    return x\nf(1.0)", "dict", "memo"),
        (
            "last = None\n@jax.jit\ndef f(x):\n    global last\n    last = x\n    return x\nf(1.0)",
            "global",
            "last",
        ),
        (
            "class M:\n    def f(self, x):\n        self.h = x * 2\n        return x\n"
            "m = M()\njax.jit(m.f)(1.0)",
            "attribute",
            "self.h",
        ),
        (
            "def make():\n    best = 0.0\n    @jax.jit\n    def f(x):\n        nonlocal best\n"
            "        best = x + 1\n        return x\n    return f, lambda: best\n"
            "f, g = make()\nf(1.0)",
            "closure",
            "best",
        ),
        (
            "@functools.lru_cache\ndef eye(n):\n    return jnp.eye(n)\n"
            "jax.jit(lambda x: x @ eye(2))(jnp.ones(2))",
            "cache",
            "eye",
        ),
        (
            "class G:\n    @functools.cached_property\n"
            "    def p(self):\n        return jnp.ones(2)\n"
            "g = G()\njax.jit(lambda x: x + g.p)(1.0)",
            "cache",
            "self.p",
        ),
        (
            "def keys(k):\n    while True:\n        k, s = jax.random.split(k)\n        yield s\n"
            "stream = keys(jax.random.key(0))\n"
            "jax.jit(lambda x: x + jax.random.normal(next(stream)))(1.0)",
            "generator",
            "keys",
        ),
    ],
)
def test_a_leak_is_found_with_its_holder(source: str, holder: str, path: str) -> None:
    """A leaked tracer is found, with its holder written as in the program."""
    assert {(holder, path)} == {(leak.holder, leak.path) for leak in leaks_of(source)}


def test_a_leak_is_found_beside_a_class_without_a_hash() -> None:
    """The classes of all objects are looked at, also those that cannot be in a set."""
    source = """
        class Meta(type):
            def __eq__(cls, other):
                raise ValueError("These classes are not compared.")

        class Settings(metaclass=Meta):
            pass

        settings, acts = Settings(), []
        jax.jit(lambda x: acts.append(x * 2) or x)(1.0)
    """
    assert ["acts"] == [leak.path for leak in leaks_of(source)]


def test_a_leak_says_where_it_was_made() -> None:
    """A leak has the learner's frame in which the tracer was made."""
    found = leaks_of("acts = []\ndef f(x):\n    acts.append(x * 2)\n    return x\njax.jit(f)(1.0)")
    assert found[0].created is not None
    assert ("f", 6) == (found[0].created.function, found[0].created.span.line)


@pytest.mark.parametrize(
    "source",
    [
        "jax.lax.scan(lambda c, x: (c + x, c), 0.0, jnp.arange(3.0))",
        "jax.jit(jax.grad(lambda x: jnp.sum(jnp.sin(x) ** 2)))(jnp.ones(3))",
        "jax.hessian(lambda x: jnp.sum(x**3))(jnp.ones(2))",
        "y, pull = jax.vjp(jnp.sin, 1.0)\npull(1.0)\ny, push = jax.linearize(jnp.sin, 1.0)",
        "acts = []\n@jax.jit\ndef f(x):\n    h = [x, x + 1]\n    return h\nacts = f(1.0)",
        "@jax.custom_vjp\ndef f(x):\n    return jnp.sin(x)\n"
        "f.defvjp(lambda x: (jnp.sin(x), x), lambda r, g: (g * jnp.cos(r),))\n"
        "jax.jit(jax.grad(f))(1.0)\njax.vmap(jax.grad(f))(jnp.ones(3))",
    ],
)
def test_right_programs_have_no_leak(source: str) -> None:
    """Programs that keep no tracer have no leaks."""
    assert () == leaks_of(source)


def test_the_search_for_holders_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """After `MOST_SECONDS` of CPU time, no other tracer is looked at: there may be thousands."""
    searched: list[object] = []
    find_one = leaks.leak_of

    def count(tracer: object, *args: object, **options: object) -> Leak:
        searched.append(tracer)
        return find_one(tracer, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(leaks, "leak_of", count)
    source = "kept = []\n@jax.jit\ndef f(x):\n    for _ in range(9):\n        kept.append(x + 1)\n"
    monkeypatch.setattr(leaks, "MOST_SECONDS", -1.0)
    leaks_of(source + "f(1.0)")
    assert 1 == len(searched)
