# expects: out-of-bounds-clamped at 7
import jax.numpy as jnp


x = jnp.arange(4)
i = jnp.array(4)
last = x[i]
