"""Compiled once, outside."""

import jax
import jax.numpy as jnp


@jax.jit
def forward(weights, x):
    return jnp.tanh(jnp.dot(x, weights))


def make_model(W):
    return forward, W
