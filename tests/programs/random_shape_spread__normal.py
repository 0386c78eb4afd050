# expects: random-shape-spread at 6
import jax
import jax.numpy as jnp

x = jnp.arange(3.0)
jax.random.normal(jax.random.key(0), 2, 3)
