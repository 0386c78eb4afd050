# expects: wrong-static-argnums at 12
"""Counts the arguments from 1."""

import jax


def scaled(x, s):
    return x.mean() + s * (x - x.mean())


def make_scaled():
    return jax.jit(scaled, static_argnums=2)
