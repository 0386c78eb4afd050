"""Picks by indexing a pair, leaf by leaf."""

import functools

import jax
import jax.numpy as jnp


def scaled_step(loss, params, batch, scale, lr):
    _, pull = jax.vjp(lambda params: loss(params, batch), params)
    (grads,) = pull(scale)
    bad = functools.reduce(
        jnp.logical_or, [jnp.any(~jnp.isfinite(g)) for g in jax.tree.leaves(grads)]
    )
    new = jax.tree.map(lambda p, g: jax.lax.select(bad, p, p - lr * (g / scale)), params, grads)
    return new, jnp.clip(scale * jnp.where(bad, 0.5, 2.0), 1.0, 32768.0)
