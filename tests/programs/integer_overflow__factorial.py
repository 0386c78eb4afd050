# expects: integer-overflow at 6
import jax.numpy as jnp


n = jnp.int32(65536)
sq = n * n
