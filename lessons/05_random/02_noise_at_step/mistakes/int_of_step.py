# expects: int-on-tracer at 8
"""Calls int() on a tracer."""

import jax


def noise(key, step, shape):
    return jax.random.normal(jax.random.fold_in(key, int(step)), shape)
