"""A loop in the program, for when memory is short."""

import jax


def per_example(loss, params, xs, ys):
    slope = jax.grad(loss)
    return jax.lax.map(lambda example: slope(params, *example), (xs, ys))
