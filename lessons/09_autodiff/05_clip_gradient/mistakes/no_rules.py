# expects: check jaxpr
# says: The function is declared to have rules of its own, and none are defined. Without them it
#     cannot even be called.
"""Announces rules, and defines none."""

import jax


@jax.custom_vjp
def clip_gradient(x, lo, hi):
    return x
