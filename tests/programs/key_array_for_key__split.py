# expects: key-array-for-key at 6
import jax
import jax.numpy as jnp

x = jnp.arange(3.0)
jax.random.normal(jax.random.split(jax.random.key(0), 3), (3,))
