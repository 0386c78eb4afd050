# expects: loop-carry-structure-mismatch at 6
import jax.numpy as jnp
from jax import lax

x = jnp.arange(3.0)
lax.while_loop(lambda c: c < 3, lambda c: (c + 1, c), 0)
