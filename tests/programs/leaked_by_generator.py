# expects: leaked-by-generator at 9
import jax
import jax.numpy as jnp


def keys(seed):
    key = jax.random.key(seed)
    while True:
        key, sub = jax.random.split(key)
        yield sub


stream = keys(0)


@jax.jit
def noise(x):
    return x + jax.random.normal(next(stream))


noise(1.0)
noise(jnp.ones(2))
