# expects: prng-key-reuse at 8
import jax


@jax.jit
def f(key):
    a = jax.random.normal(key, (3,))
    return a + jax.random.normal(key, (3,))


f(jax.random.key(1))
