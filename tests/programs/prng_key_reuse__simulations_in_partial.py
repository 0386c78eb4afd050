# expects: prng-key-reuse at 17
from functools import partial

import jax
import jax.numpy as jnp


def diffuse(start, key, scale, steps=4):
    def body(_, carry):
        x, k = carry
        k, sub = jax.random.split(k)
        return x + scale * jax.random.normal(sub, x.shape), k

    return jax.lax.fori_loop(0, steps, body, (start, key))[0]


move = jax.jit(jax.vmap(partial(diffuse, scale=0.5), in_axes=(0, None)))
print(move(jnp.linspace(0.0, 1.0, 5), jax.random.key(1)))
