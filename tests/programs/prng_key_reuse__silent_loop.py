# expects: prng-key-reuse at 8
import jax


key = jax.random.PRNGKey(0)
draws = []
for _ in range(3):
    draws.append(jax.random.normal(key))
