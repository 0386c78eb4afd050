# expects: custom-rule-missing at 8
"""Announces rules, and defines none."""

import jax


@jax.custom_vjp
def clip_gradient(x, lo, hi):
    return x
