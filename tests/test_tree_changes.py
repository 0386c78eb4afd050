"""Tests of how a tree that lost leaves is recognised: in a map, and from round to round."""

from __future__ import annotations

from textwrap import dedent

import pytest

from jaxtutor.core.data.observations import LeafLost, NoneForLeaves, Observation
from observed_program import observe

FILE = "/learner/trees.py"
PRELUDE = """
import jax
import jax.numpy as jnp

params = {"kernel": jnp.ones((2, 2)), "bias": jnp.zeros(2)}
"""


def reported(source: str) -> list[Observation]:
    """Run a program under observation, and return what is reported of its trees."""
    text = PRELUDE + dedent(source)
    return [it for it in observe(text, FILE) if isinstance(it, LeafLost | NoneForLeaves)]


MAPPED = """
import functools

def halve(leaf, least=2):
    if leaf.ndim == least:
        return leaf / 2
"""


@pytest.mark.parametrize(
    "call",
    [
        "jax.tree.map(halve, params)",
        "jax.tree_util.tree_map(halve, params)",
        "jax.tree.map(functools.partial(halve, least=1), params)",
        "jax.jit(lambda p: jax.tree.map(halve, p)['kernel'])(params)",
        "jax.tree_util.tree_map_with_path(lambda path, leaf: halve(leaf), params)",
    ],
)
def test_a_function_that_returns_none_for_some_leaves_is_seen(call: str) -> None:
    """A leaf for which a mapped function returned None is named, however the map is called."""
    (seen,) = reported(f"{MAPPED}\n{call}\n")
    assert isinstance(seen, NoneForLeaves)
    assert (seen.count, seen.among) == (1, 2)


@pytest.mark.parametrize(
    "call",
    [
        "jax.tree.map(lambda p: p / 2, {**params, 'none': None})",
        "jax.tree.map(lambda p: print(p.shape), params)",
        "jax.tree.map(lambda p: 0 if p.ndim == 2 else None, params)",
        "jax.tree.map(lambda p: None if p == 'a' else p, ['a', params['bias']])",
        "jax.tree.leaves([params, None])",
    ],
)
def test_other_maps_are_not_seen(call: str) -> None:
    """None that was there before, for all leaves, beside numbers, or for no array says nothing."""
    assert reported(call) == []


LOOP = """
class Cell:
    def __init__(self, weight, squash):
        self.weight, self.squash = weight, squash

jax.tree_util.register_pytree_with_keys(
    Cell,
    lambda c: ((("weight", c.weight), ("squash", c.squash)), None),
    lambda _, leaves: Cell(*leaves),
)

@jax.jit
def run(weight):
    return weight.sum()

def energy(cell):
    return run(cell.weight) if cell.squash is None else cell.squash(run(cell.weight))

cell = Cell(jnp.ones(3), jnp.tanh)
"""


def test_a_function_that_a_round_loses_is_seen() -> None:
    """A variable that is bound again to a tree without its function is named with the path."""
    seen = reported(
        LOOP
        + """
for _ in range(3):
    energy(cell)
    cell = jax.tree.map(lambda p: p / 2, Cell(cell.weight, None))
"""
    )
    assert [type(it) for it in seen] == [LeafLost]
    assert isinstance(seen[0], LeafLost)
    assert (seen[0].name, seen[0].count, seen[0].is_function) == ("cell", 1, True)


def test_a_variable_is_compared_in_the_calls_around() -> None:
    """A call that makes several calls inside is compared with its next one, not with itself."""
    seen = reported(
        LOOP
        + """
def twice(given):
    return run(given.weight) + run(given.weight)

for _ in range(2):
    twice(cell)
    cell = Cell(cell.weight, None)
"""
    )
    assert [it.name for it in seen if isinstance(it, LeafLost)] == ["cell"]


@pytest.mark.parametrize(
    "rounds",
    [
        "for _ in range(3):\n    energy(cell)\n    cell = Cell(cell.weight / 2, cell.squash)",
        "energy(cell)\nenergy(Cell(cell.weight, None))",
        "for _ in range(3):\n    energy(cell)\ncell = Cell(cell.weight, None)\nenergy(cell)",
        "for cell in [Cell(jnp.ones(2), None), Cell(jnp.ones(2), jnp.tanh)]:\n    energy(cell)",
        "for cell in [Cell(jnp.ones(2), None), (jnp.ones(2), None)]:\n    run(params['bias'])",
    ],
)
def test_trees_that_keep_their_leaves_are_not_seen(rounds: str) -> None:
    """The same leaves, another call, a leaf that is gained, or another class says nothing."""
    assert reported(f"{LOOP}\n{rounds}\n") == []


def test_a_gradient_that_is_traced_is_not_compared() -> None:
    """Models of two kinds that go through one compiled step are not one model."""
    assert (
        reported(
            LOOP
            + """
@jax.jit
def step(weight):
    cell = Cell(weight, jnp.tanh if weight.ndim else None)
    return jax.grad(lambda cell: cell.weight.sum())(Cell(weight, None)).weight

for size in (2, 3):
    step(jnp.ones(size))
"""
        )
        == []
    )
