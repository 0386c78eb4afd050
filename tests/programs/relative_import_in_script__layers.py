# expects: relative-import-in-script at 4
import jax.numpy as jnp

from .spectral import power

print(power(jnp.arange(8.0)))
