# expects: environment-set-after-import at 7
import os

import jax
import jax.numpy as jnp

os.environ["JAX_ENABLE_X64"] = "True"

third = jnp.ones(2) / 3
print(jax.jit(jnp.sum)(third))
