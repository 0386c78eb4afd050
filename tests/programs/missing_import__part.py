# expects: missing-import at 8
import jax
import jax.numpy as jnp

params = {"w": jnp.ones(2), "b": 0.5}


vector, rebuild = jax.flatten_util.ravel_pytree(params)
print(vector.sum())
