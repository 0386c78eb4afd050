# expects: check values
# says: Your answer is NaN where `x` is infinite: 0 times infinity and infinity minus infinity are
#     not numbers. Halve without a detour.
"""Takes the average of x and zeros that are made from x."""

import jax.numpy as jnp


def halve(x):
    return jnp.average(jnp.stack([x, 0 * x]), axis=0)
