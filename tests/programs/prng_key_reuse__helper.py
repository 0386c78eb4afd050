# expects: prng-key-reuse at 15
import jax


def a(k):
    return jax.random.normal(k)


def b(k):
    return jax.random.uniform(k)


def f(key):
    x = a(key)
    return x + b(key)


with jax.debug_key_reuse(True):
    f(jax.random.key(1))
