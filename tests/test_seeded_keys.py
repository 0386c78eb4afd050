"""Tests which keys of constant seeds are found to serve all rows of a mapped function."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

import jax
import pytest

from jaxtutor.core.data.observations import KeyCaptured, SeedForRows
from observed_program import observe

FILE = "/learner/seeded_keys.py"
START = """
import jax
import jax.numpy as jnp

def keys():
    return jax.random.split(jax.random.key(5), 4)
"""


@pytest.fixture(autouse=True)
def empty_caches() -> Iterator[None]:
    """Clear jax's caches, so that each test compiles its programs."""
    jax.clear_caches()
    yield
    jax.clear_caches()


def found_in(text: str) -> list[tuple[str, str, bool]]:
    """Return the lines of the seed and of the draw of each observation of a program."""
    program = START + dedent(text)
    lines = program.splitlines()
    return [
        (
            lines[it.frame.span.line - 1].strip(),
            lines[it.drawn.span.line - 1].strip(),
            it.is_shared,
        )
        for it in observe(program, FILE)
        if isinstance(it, SeedForRows) and it.frame is not None
    ]


STATE = """
{compiled}
def reset(key):
    made = {key}
    return {{"at": jax.random.uniform(key), "key": made}}

{compiled}
def step(state):
    key, sub = jax.random.split(state["key"])
    return {{"at": state["at"] + jax.random.normal(sub), "key": key}}

states = jax.vmap(reset)(keys())
states = jax.vmap(step)(states)
"""


@pytest.mark.parametrize("compiled", ["@jax.jit", ""])
@pytest.mark.parametrize("key", ["jax.random.key(0)", "jax.random.split(jax.random.key(0))[1]"])
def test_a_constant_key_in_the_state_of_each_row_is_found(key: str, compiled: str) -> None:
    """The key is followed from the mapped function that makes it to the one that draws from it."""
    found = found_in(STATE.format(key=key, compiled=compiled))
    assert ((f"made = {key}"), 'key, sub = jax.random.split(state["key"])', False) in found


@pytest.mark.parametrize("compiled", ["@jax.jit", ""])
@pytest.mark.parametrize(
    "key",
    ["jax.random.split(key)[1]", "jax.random.fold_in(jax.random.key(0), jax.random.bits(key))"],
)
def test_keys_that_differ_between_rows_are_not_found(key: str, compiled: str) -> None:
    """A key that depends on what the row is given is its own."""
    assert found_in(STATE.format(key=key, compiled=compiled)) == []


def test_a_key_that_the_caller_repeats_is_not_found() -> None:
    """Only a key that a mapped or compiled function makes of a constant is meant."""
    text = """
    states = {"at": jnp.zeros(3), "key": jnp.stack([jax.random.key(0)] * 3)}
    jax.vmap(jax.jit(lambda s: s["at"] + jax.random.normal(s["key"])))(states)
    """
    assert found_in(text) == []


def test_one_row_is_not_found() -> None:
    """A single row has nobody to share its numbers with."""
    text = STATE.format(key="jax.random.key(0)", compiled="@jax.jit")
    assert found_in(text.replace("(keys())", "(keys()[:1])")) == []


def test_a_draw_from_a_constant_key_in_the_mapped_function_is_found() -> None:
    """All rows draw from a key that the function makes, also in a loop."""
    text = """
    @jax.jit
    def path(x):
        ks = jax.random.split(jax.random.PRNGKey(1), 3)
        return jax.lax.scan(lambda x, k: (x + jax.random.normal(k), x), x, ks)

    jax.vmap(path)(jnp.zeros(4))
    """
    seed = "ks = jax.random.split(jax.random.PRNGKey(1), 3)"
    draw = "return jax.lax.scan(lambda x, k: (x + jax.random.normal(k), x), x, ks)"
    assert (seed, draw, True) in found_in(text)


def test_a_draw_without_a_map_is_not_found() -> None:
    """A compiled function that nothing maps has no rows."""
    assert found_in("jax.jit(lambda x: x + jax.random.normal(jax.random.key(0)))(1.0)") == []


def test_a_seed_that_is_an_argument_is_not_found() -> None:
    """The caller chooses the seed, so that all rows share it."""
    text = """
    @jax.jit
    def f(x, seed):
        return x + jax.random.normal(jax.random.key(seed))

    jax.vmap(f, (0, None))(jnp.zeros(4), 3)
    """
    assert found_in(text) == []


CAPTURED = """
import jax
import jax.numpy as jnp

key = jax.random.key(1)

@jax.jit
def step(x, given):
    return BODY

x = jnp.zeros(3)
for n in range(5):
    x = CALL
"""


@pytest.mark.parametrize(
    ("body", "call", "is_named"),
    [
        ("x + jax.random.normal(key, (3,))", "step(x, key)", True),
        ("x + jax.random.normal(jax.random.split(key)[0], (3,))", "step(x, key)", True),
        ("x + jax.random.normal(given, (3,))", "step(x, jax.random.fold_in(key, n))", False),
        ("x + jax.random.normal(jax.random.fold_in(key, given), (3,))", "step(x, n)", False),
        ("x.sum() + jax.random.normal(key, (5,)).sum()", "x + step(x, key)", False),
    ],
)
def test_draws_from_a_key_that_a_step_holds(body: str, call: str, is_named: bool) -> None:
    """A step draws the same in each call if its key is a constant of the compiled program."""
    seen = observe(CAPTURED.replace("BODY", body).replace("CALL", call), FILE)
    assert is_named == any(isinstance(it, KeyCaptured) for it in seen)
