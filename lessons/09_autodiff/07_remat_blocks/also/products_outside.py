"""With the products outside the wrapped function, no policy is needed."""

import jax
import jax.numpy as jnp


def wave(x, h):
    return x + jnp.tanh(h) * jnp.sin(h)


@jax.checkpoint
def block(x, w):
    return wave(x, w @ x)


def deep(x, ws, keep_dots=False):
    for w in ws:
        x = jax.checkpoint(wave)(x, w @ x) if keep_dots else block(x, w)
    return x
