# expects: prng-key-reuse at 7
import jax


key = jax.random.key(0)
a = jax.random.normal(key, (3,))
b = jax.random.uniform(key, (3,))
