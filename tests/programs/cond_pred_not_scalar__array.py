# expects: cond-pred-not-scalar at 6
import jax.numpy as jnp
from jax import lax

x = jnp.arange(3.0)
lax.cond(x < 0, jnp.zeros_like, lambda x: x, x)
