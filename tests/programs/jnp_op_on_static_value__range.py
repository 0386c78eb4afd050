# expects: jnp-op-on-static-value at 10
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames="steps")
def run(x, steps):
    half = jnp.maximum(steps // 2, 1)
    for _ in range(half):
        x = x * 2
    return x


run(1.0, steps=4)
