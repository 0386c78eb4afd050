# expects: prng-key-reuse at 8
import jax


def init(key):
    k1, k2 = jax.random.split(key)
    w = jax.random.normal(k1, (2,))
    return w + jax.random.normal(key, (2,))


init(jax.random.key(0))
