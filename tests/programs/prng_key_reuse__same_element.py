# expects: prng-key-reuse at 13
import jax
import jax.numpy as jnp


def linear(key, m, n):
    return jax.random.normal(key, (m, n)) / jnp.sqrt(m)


def network(key, sizes):
    keys, layers = jax.random.split(key, len(sizes)), []
    for m, n in zip(sizes[:-1], sizes[1:]):
        layers.append(linear(keys[0], m, n))
    return layers


print([w.std() for w in network(jax.random.key(0), [4, 4, 4])])
