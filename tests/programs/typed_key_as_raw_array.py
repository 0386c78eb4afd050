# expects: typed-key-as-raw-array at 6
import jax


key = jax.random.key(0)
seed = key[0]
