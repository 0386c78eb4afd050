# expects: check prints
# says: What is printed holds a tracer: the string was complete before the program ran. The value
#     has to be passed separately.
"""Fills in the string while tracing."""

import jax
import jax.numpy as jnp


def traced_sum(x):
    s = jnp.sum(x)
    jax.debug.print(f"s={s}")
    return s
