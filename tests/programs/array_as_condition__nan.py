# expects: array-as-condition at 6
import jax.numpy as jnp

losses = jnp.array([1.0, 0.5, jnp.nan])

if losses == jnp.nan:
    print("diverged")
