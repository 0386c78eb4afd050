"""Tests which parameters count as never read, and where a function has to have them."""

from __future__ import annotations

from textwrap import dedent

import pytest

from jaxtutor.core.diagnosis.causes.silent.unread_arguments import read_unread_arguments
from jaxtutor.core.diagnosis.engine.source import read_modules

pytestmark = pytest.mark.cause

HEAD = "import jax\n"


def unread(source: str, **files: str) -> list[str]:
    """List the parameters that a program never reads, with the function and the place."""
    texts = {"program.py": HEAD + dedent(source)}
    texts |= {f"{name}.py": HEAD + dedent(text) for name, text in files.items()}
    found = read_unread_arguments(read_modules(texts))
    return [f"{it.facts['function']} {it.name} {it.location.span.line}" for it in found]


@pytest.mark.parametrize(
    ("definition", "call"),
    [
        ("def f(x, n):\n return x", "f(1, m)"),
        ("def f(x, n):\n return x", "f(1, n=2)"),
        ("def f(x, n):\n return x", "f(1, 2), f(1, 3)"),
        ("def f(x, n):\n return lambda n: n * x", "f(1, m)"),
        ("def f(x, n):\n return [n for n in x]", "f(1, m)"),
        ("@jax.jit\ndef f(x, n):\n return x", "f(1, m)"),
        ("def f(x, n):\n return x", "jax.jit(f)(1, m)"),
        ("def f(x, n):\n return x", "jax.grad(f)(1, m)"),
        ("def f(x, n):\n return x", "g = jax.jit(jax.vmap(f))\ng(1, m)"),
        ("class f:\n def __init__(self, x, n):\n  self.x = x", "f(1, m)"),
        ("class A:\n def h(self, x, n): return x\n def g(self): return self.h(1, m)", ""),
    ],
)
def test_a_parameter_that_is_given_and_not_read_is_found(definition: str, call: str) -> None:
    """A parameter is found if nothing reads it and a call passes a value on purpose."""
    assert 1 == len(unread(f"{definition}\n{call}\n"))


@pytest.mark.parametrize(
    ("definition", "call"),
    [
        ("def f(x, n):\n return x + n", "f(1, m)"),
        ("def f(x, n):\n return lambda: x + n", "f(1, m)"),
        ("def f(x, n=0):\n return x", "f(1)"),
        ("def f(x, n):\n return x", "f(1, 2)"),
        ("def f(x, n):\n return x", "f(1, None), f(2, None)"),
        ("def f(x, n=None):\n return x", "f(1, n=())"),
        ("def f(x, _n):\n return x", "f(1, m)"),
        ("def f(x, key):\n return x", "f(1, m)"),
        ("def f(x, train):\n return x", "f(1, train=True)"),
        ("def f(x, n):\n del n\n return x", "f(1, m)"),
        ("def f(x, n):\n return x, locals()", "f(1, m)"),
        ("def f(x, n):\n return 1", "f(1, m)"),
        ("def f(x, n):\n raise ValueError(x)", "f(1, m)"),
        ("def f(x, *n, **o):\n return x", "f(1, m, p=m)"),
        ("def f(x, n):\n return x", "f(*m)"),
        ("def f(x, n):\n return x", "f(1, m), jax.lax.scan(f, 1, m)"),
        ("def f(x, n):\n return x", "f(1, m), {'f': f}"),
        ("def f(x, n):\n return x\ndef g(x, n):\n return n", "f(1, m)"),
        ("@register\ndef f(x, n):\n return x", "f(1, m)"),
        ("class A(B):\n def h(self, x, n): return x\n def g(self): return self.h(1, m)", ""),
        ("class A:\n def h(self, x, n): return x", "A().h(1, m)"),
        ("class f:\n def __init__(self, x, n): self.x = x\nclass B(f): pass", "f(1, m)"),
    ],
)
def test_a_parameter_that_something_dictates_is_not_found(definition: str, call: str) -> None:
    """Callbacks, stubs, names that say so and placeholders are left alone."""
    assert [] == unread(f"{definition}\n{call}\n")


def test_other_files_use_a_function() -> None:
    """A call in another file passes the value, and a callback there dictates the parameters."""
    tools = "def f(x, n):\n    return x\n"
    assert ["f n 2"] == unread("from tools import f\nf(1, m)", tools=tools)
    assert [] == unread("from tools import f\nf(1, m)\njax.lax.scan(f, 1, m)", tools=tools)
    assert [] == unread("import other\nother.f(1, m)", tools=tools)


@pytest.mark.parametrize(
    ("call", "form"),
    [
        ("g(x)", "left_out"),
        ("jax.grad(g)(x)", "left_out"),
        ("jax.vmap(g)(x)", ""),
        ("g(x, 3)", ""),
        ("g(**x)", ""),
        ("g(x) + g(x)", ""),
    ],
)
def test_the_call_that_lacks_the_argument_is_named(call: str, form: str) -> None:
    """The one call in the function that leaves out an argument of that name is named."""
    source = f"def g(x, n=1):\n return x * n\ndef f(x, y, n):\n return y + {call}\nf(1, 2, m)\n"
    (found,) = read_unread_arguments(read_modules({"program.py": HEAD + source}))
    assert form == found.form


def test_a_method_that_is_transformed_gets_its_arguments_in_order() -> None:
    """What a call of `jax.grad(self.loss)` passes is counted without the object."""
    source = (
        "class A:\n def loss(self, w, x): return self.y - x\n"
        " def fit(self): return jax.grad(self.loss)(self.w, 1)\n"
    )
    (found,) = read_unread_arguments(read_modules({"program.py": HEAD + source}))
    assert ("w", "self.w") == (found.name, found.facts["argument"])
