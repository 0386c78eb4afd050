# expects: unbound-axis-name at 9
"""Uses a name that no map defines."""

import jax
import jax.numpy as jnp


def center(x):
    return x - jax.lax.pmean(x, "examples")


def center_batch(xs):
    return jax.vmap(center, axis_name="batch")(xs)
