# expects: jvp-needs-tuples at 6
import jax
import jax.numpy as jnp

x = jnp.arange(3.0)
jax.jvp(jnp.sin, (x), (x))
