# expects: prng-key-reuse at 9
import jax
import jax.numpy as jnp


def init(sizes, seed):
    params = []
    for m, n in zip(sizes[:-1], sizes[1:]):
        w = jax.random.normal(jax.random.key(seed), (m, n)) / m**0.5
        params.append({"w": w, "b": jnp.zeros(n)})
    return params


init([4, 4, 1], seed=0)
