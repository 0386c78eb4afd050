# expects: prng-key-reuse at 7
import jax
import jax.numpy as jnp


def flip(key, bit):
    return bit ^ (jax.random.uniform(key) < 0.2)


bits = jnp.array([True, False, True])
print(jax.vmap(flip, in_axes=(None, 0))(jax.random.key(1), bits))
