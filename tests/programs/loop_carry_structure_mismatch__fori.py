# expects: loop-carry-structure-mismatch at 6
import jax.numpy as jnp
from jax import lax

x = jnp.arange(3.0)
lax.fori_loop(0, 3, lambda i, c: (c, c), x)
