# expects: prng-key-reuse at 12
import jax
import jax.numpy as jnp


def weights(key):
    first, second = jax.random.split(key)
    return jax.random.normal(first, (3, 4)), jax.random.normal(second, (4,))


def ensemble(key, size):
    keys = jnp.stack([key] * size)
    return jax.vmap(weights)(keys)


members = ensemble(jax.random.key(2), 4)
print(jax.tree.map(jnp.shape, members))
