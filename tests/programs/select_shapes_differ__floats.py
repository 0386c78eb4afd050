# expects: select-shapes-differ at 6
import jax.numpy as jnp
from jax import lax

weights = jnp.array([0.0, 1.0, 1.0])
print(lax.select(weights, jnp.ones(3), jnp.zeros(3)))
