"""Attention whose gradient remembers the projections, and not the table of scores."""

import jax
import jax.numpy as jnp


def attend(x, wq, wk, wv):
    """Return attention of the rows of x to one another."""
    q, k, v = x @ wq, x @ wk, x @ wv
    scores = q @ k.T / jnp.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=-1) @ v


def lean_attention(x, wq, wk, wv):
    """Return attention of the rows of x to one another; its gradient keeps no table."""
    # TODO: keep q, k and v for the backward pass, and nothing that has n rows and n columns.
    return attend(x, wq, wk, wv)
