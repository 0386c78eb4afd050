# expects: prng-key-reuse at 8
import jax


key = jax.random.key(0)
with jax.debug_key_reuse(True):
    a = jax.random.normal(key)
    b = jax.random.normal(key)
