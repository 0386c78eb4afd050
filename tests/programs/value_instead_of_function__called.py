# expects: value-instead-of-function at 6
import jax.numpy as jnp
from jax import lax

x = jnp.arange(3.0)
lax.cond(x[0] < 0, jnp.sin(x), jnp.cos(x), x)
