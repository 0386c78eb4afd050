# expects: not-a-key at 6
import jax
import jax.numpy as jnp

x = jnp.arange(3.0)
jax.random.normal(0, (3,))
