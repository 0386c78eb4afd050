# expects: check dtype
# says: Your answer is correct but too wide: it is `float32`. One conversion is missing, at the
#     end.
"""Goes wide and does not come back."""

import jax.numpy as jnp


def mean_f16(x):
    return x.astype(jnp.float32).mean()
