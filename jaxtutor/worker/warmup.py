"""Owns what a spare does ahead of need: the first use of jax, on nothing of a learner's."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.worker import checks, failure, jaxprs, leaks, page_blocks, stages

LOADED = (checks, failure, jaxprs, leaks, page_blocks, stages)


def up() -> None:
    """Trace, compile and differentiate one small function, then forget it.

    Imports and code generators that start on first use stay; the caches are emptied, so that no
    entry of ours can meet one of the learner's.
    """

    def small(x: jax.Array) -> jax.Array:
        return jnp.where(x > 0, jnp.sin(x), 0.0).sum()

    x = jnp.asarray(np.ones((3, 7), np.float32))
    jax.make_jaxpr(small)(x)
    jax.jit(jax.grad(small))(x).block_until_ready()
    jax.jit(jax.vmap(small))(x).block_until_ready()
    jax.jit(small).lower(x).cost_analysis()
    jax.clear_caches()
