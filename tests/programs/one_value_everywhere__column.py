# expects: one-value-everywhere at 10
"""Layer normalisation of a table with one column."""

import jax
import jax.numpy as jnp


def layer_norm(x, scale, shift, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    centred = x - mean
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return scale * centred / jnp.sqrt(variance + eps) + shift


@jax.jit
def regress(params, heights):
    normed = layer_norm(heights, params["scale"], params["shift"])
    return normed @ params["weights"]


heights = 1.7 + 0.1 * jax.random.normal(jax.random.key(0), (16, 1))
params = {"scale": jnp.ones(1), "shift": jnp.zeros(1), "weights": jnp.ones((1, 1))}
print(regress(params, heights)[:, 0])
