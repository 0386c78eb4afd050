# expects: prng-key-reuse at 9
import jax
import jax.numpy as jnp

key = jax.random.key(0)


def blur(row):
    return row + 0.1 * jax.random.normal(key, row.shape)


print(jax.vmap(blur)(jnp.ones((4, 3))))
