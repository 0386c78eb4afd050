"""Tests how effects are found that a mapped branch or loop has for every example."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtutor.core.data.observations import EffectForAll
from test_program_walk import Walked

X = jnp.array([1.0, 7.0, 2.0, 9.0])


def note(_: Any) -> None:
    pass


def show(x: Any) -> Any:
    jax.debug.callback(note, x)
    return x


def twice(x: Any) -> Any:
    show(x)
    return 2 * x


def same(x: Any) -> Any:
    return x


def branch(x: Any) -> Any:
    return jax.lax.cond(x > 5.0, twice, same, x)


def switch(x: Any) -> Any:
    return jax.lax.switch((x > 1.0).astype(jnp.int32) + (x > 8.0), [same, same, twice], x)


def nested(x: Any) -> Any:
    return jax.lax.cond(x > 1.5, lambda x: branch(x) + 1, same, x)


def in_a_scan(x: Any) -> Any:
    return jax.lax.scan(lambda x, _: (branch(x), None), x, None, length=1)[0]


def loop(x: Any) -> Any:
    return jax.lax.while_loop(lambda x: x < 5.0, twice, x)


@pytest.mark.parametrize(
    ("function", "count"),
    [
        (branch, 2),
        (switch, 1),
        (nested, 2),
        (in_a_scan, 2),
        (jax.jit(branch), 2),
        (lambda x: jax.jit(twice)(branch(x)), 2),
        (lambda x: jax.lax.cond(x > 5.0, jax.jit(twice), same, x), 2),
        (loop, 2),
    ],
)
def test_an_effect_for_some_examples_is_found(function: Callable[[Any], Any], count: int) -> None:
    """The examples that the branch or the round is meant for are counted."""
    first, *_ = effects(jax.vmap(function), X)
    assert (first.count, first.among) == (count, 4)


@pytest.mark.parametrize(
    ("function", "x"),
    [
        (jax.vmap(branch), X + 10),
        (jax.vmap(loop), jnp.full(3, 2.0)),
        (jax.vmap(lambda x: (branch(0.0), twice(x))), X),
        (jax.vmap(lambda x: (jax.lax.cond(x > 5, jnp.sin, jnp.cos, x), show(x))), X),
        (jax.vmap(lambda x: jax.lax.cond(x > 5, jnp.sin, jnp.cos, twice(x))), X),
        (lambda x: jax.lax.map(branch, x), X),
        (lambda x: branch(x[1]), X),
        (jax.vmap(lambda x: jnp.where(x > 5.0, twice(x), x)), X),
    ],
)
def test_an_effect_for_all_examples_is_silent(function: Callable[[Any], Any], x: Any) -> None:
    """An effect that every example is meant to have, or that is chosen one by one, is right."""
    assert effects(function, x) == []


def effects(function: Callable[..., Any], *args: Any) -> list[EffectForAll]:
    """Return the effects that are recorded when a program is evaluated."""
    walked = Walked(own=__file__)
    walked.run(function, *args)
    return [seen for seen, _ in walked.notes if isinstance(seen, EffectForAll)]
