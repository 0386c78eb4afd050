# expects: leaked-by-cache at 11
import jax
import jax.numpy as jnp


_cache = {}


def window(n):
    if n not in _cache:
        _cache[n] = jnp.hanning(n)
    return _cache[n]


@jax.jit
def apply(x):
    return x * window(4)


apply(jnp.ones(4))
apply(jnp.ones((2, 4)))
