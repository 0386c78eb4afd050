# expects: pytree-structure-mismatch at 7
import jax
import jax.numpy as jnp

weights, slopes = {"w": jnp.ones(3), "b": jnp.zeros(2)}, {"w": jnp.ones(3), "b": jnp.ones(2)}
rate = jnp.float32(0.1)
weights = jax.tree.map(lambda w, s, rate: w - rate * s, weights, slopes, rate)
