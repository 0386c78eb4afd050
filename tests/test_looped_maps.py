"""Tests that a map of one example at a time gives what `jax.vmap` gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtutor.worker import looped_maps

VMAP = jax.vmap
KEYS = jax.random.split(jax.random.key(0), 3)
TABLE = jnp.arange(12.0).reshape(3, 4)


@pytest.fixture
def looped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the map of one example at a time."""
    monkeypatch.setattr(jax, "vmap", VMAP)
    looped_maps.install()


CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any], tuple[Any, ...]]] = {
    "an array": (jnp.sum, {}, (TABLE,)),
    "a NumPy array": (jnp.sum, {}, (np.ones((3, 2)),)),
    "another axis": (jnp.sum, {"in_axes": 1}, (TABLE,)),
    "a negative axis": (lambda x: x * 2, {"in_axes": -1, "out_axes": -1}, (TABLE,)),
    "a shared argument": (lambda x, w: x * w, {"in_axes": (0, None)}, (TABLE, 2.0)),
    "trees": (
        lambda p, x: {"y": p["w"] * x, "b": p["b"]},
        {"in_axes": ({"w": 0, "b": None}, 0), "out_axes": {"y": 1, "b": None}},
        ({"w": jnp.arange(3.0), "b": 1.0}, TABLE),
    ),
    "None in a tree": (lambda p: p[0] + 1, {}, ((jnp.arange(3), None),)),
    "keys": (jax.random.normal, {}, (KEYS,)),
    "keys that are returned": (jax.random.split, {}, (KEYS,)),
    "a pair of results": (lambda x: (x.sum(), x), {"out_axes": (0, 1)}, (TABLE,)),
    "two maps": (VMAP(jnp.sin), {}, (TABLE,)),
    "a named axis": (lambda x: jax.lax.psum(x, "i"), {"axis_name": "i"}, (TABLE,)),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.usefixtures("looped")
def test_a_loop_gives_what_vmap_gives(name: str) -> None:
    """Structures, shapes, dtypes and numbers are the same."""
    function, options, args = CALLS[name]
    expected = VMAP(function, **options)(*args)
    actual = jax.vmap(function, **options)(*args)
    assert str(jax.tree.structure(expected)) == str(jax.tree.structure(actual))
    for wanted, got in zip(jax.tree.leaves(expected), jax.tree.leaves(actual), strict=True):
        wanted, got = jnp.asarray(wanted), jnp.asarray(got)
        assert (wanted.shape, wanted.dtype) == (got.shape, got.dtype)
        if jnp.issubdtype(wanted.dtype, jax.dtypes.prng_key):
            wanted, got = jax.random.key_data(wanted), jax.random.key_data(got)
        np.testing.assert_allclose(wanted, got, rtol=1e-6)


@pytest.mark.usefixtures("looped")
def test_keywords_are_mapped_too() -> None:
    """A keyword argument is mapped along its first axis."""
    np.testing.assert_allclose(TABLE.sum(1), jax.vmap(lambda *, x: x.sum())(x=TABLE))


@pytest.mark.usefixtures("looped")
def test_the_gradient_of_a_loop_is_that_of_vmap() -> None:
    """Both are differentiated alike."""

    def loss(mapped: Callable[..., Any], w: Any) -> Any:
        return mapped(lambda x: jnp.tanh(x @ w))(TABLE).sum()

    w = jnp.ones(4) / 10
    expected = jax.grad(lambda w: loss(VMAP, w))(w)
    np.testing.assert_allclose(expected, jax.grad(lambda w: loss(jax.vmap, w))(w), rtol=1e-5)


@pytest.mark.usefixtures("looped")
def test_what_cannot_be_mapped_raises_as_before() -> None:
    """JAX explains sizes that differ."""
    with pytest.raises(ValueError, match="inconsistent sizes"):
        jax.vmap(jnp.add)(jnp.ones(2), jnp.ones(3))


@pytest.mark.usefixtures("looped")
def test_a_value_is_concrete_in_a_loop() -> None:
    """Python's own `if` works, which `vmap` refuses."""
    mapped: Any = jax.vmap(lambda x: x if x > 1 else -x)
    np.testing.assert_allclose([0.0, -1.0, 2.0], mapped(jnp.arange(3.0)))
