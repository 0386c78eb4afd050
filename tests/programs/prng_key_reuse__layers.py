# expects: prng-key-reuse at 13
import jax
import jax.numpy as jnp


def start(key, rows, columns):
    scale = jnp.sqrt(2.0 / rows)
    return scale * jax.random.normal(key, (rows, columns))


sizes = [3, 8, 2]
key = jax.random.key(4)
weights = [start(key, m, n) for m, n in zip(sizes[:-1], sizes[1:])]
