# expects: float-equality at 6
import jax.numpy as jnp


grid = jnp.arange(20) * 0.1
hit = jnp.where(grid == 1.3, 1.0, 0.0)
