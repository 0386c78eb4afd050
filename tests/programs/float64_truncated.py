# expects: float64-truncated at 5
import jax.numpy as jnp


x = jnp.linspace(0, 1, 5, dtype=jnp.float64)
