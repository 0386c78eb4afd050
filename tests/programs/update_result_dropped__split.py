# expects: update-result-dropped at 6
import jax


key = jax.random.key(3)
jax.random.split(key)
