# expects: prng-key-reuse at 8
import jax


with jax.debug_key_reuse(True):
    key = jax.random.key(0)
    k1, k2 = jax.random.split(key)
    a = jax.random.uniform(key)
