# expects: integer-beyond-dtype at 4
import jax.numpy as jnp

UNIT = 2**50

counts = jnp.array([3.0, 0.5])
print(jnp.multiply(counts, UNIT))
