"""The sum, divided by how many there are."""

import jax


def center(x):
    return x - jax.lax.psum(x, "batch") / jax.lax.psum(1, "batch")


def center_batch(xs):
    return jax.vmap(center, axis_name="batch")(xs)
