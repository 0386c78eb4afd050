# expects: removed-api at 5
import jax.numpy as jnp


area = jnp.trapz(jnp.ones(3))
