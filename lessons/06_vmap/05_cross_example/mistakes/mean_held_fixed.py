# expects: check gradient
# says: Your values are right, but no gradient flows through the mean. Each example takes part in
#     the mean, so it should.
"""Stops the gradient of the mean."""

import jax


def center(x):
    return x - jax.lax.stop_gradient(jax.lax.pmean(x, "batch"))


def center_batch(xs):
    return jax.vmap(center, axis_name="batch")(xs)
