# expects: prng-key-reuse at 13
import jax
import jax.numpy as jnp


def glorot(key, rows, columns):
    bound = jnp.sqrt(6.0 / (rows + columns))
    return jax.random.uniform(key, (rows, columns), minval=-bound, maxval=bound)


key = jax.random.key(1)
first = glorot(key, 2, 4)
second = glorot(key, 4, 1)
