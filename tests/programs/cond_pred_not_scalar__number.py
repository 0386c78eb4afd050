# expects: cond-pred-not-scalar at 6
import jax.numpy as jnp
from jax import lax

x = jnp.arange(3.0)
lax.cond(x, lambda: 1.0, lambda: 2.0)
