# expects: ragged-list at 6
import jax.numpy as jnp


ROWS = [[1, 2, 3], [4, 5]]
table = jnp.asarray(ROWS)
