# expects: iterator-as-array at 5
import jax.numpy as jnp

days = [jnp.ones(3), jnp.zeros(3)]
week = jnp.concatenate(2 * day for day in days)
