# expects: int-dtype-truncation at 6
import jax.numpy as jnp


counts = jnp.zeros(3, dtype=int)
counts = counts.at[0].set(0.5)
