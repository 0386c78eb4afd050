# expects: check elsewhere
# says: You change the setting for the whole program: every other product gets slower too.
"""Changes the configuration."""

import jax
import jax.numpy as jnp

jax.config.update("jax_default_matmul_precision", "highest")


def exact_matmul(a, b):
    return jnp.matmul(a, b, preferred_element_type=jnp.float32)
