# expects: removed-api at 6
import jax
import jax.numpy as jnp


x = jax.ops.index_update(jnp.ones(3), 0, 2.0)
