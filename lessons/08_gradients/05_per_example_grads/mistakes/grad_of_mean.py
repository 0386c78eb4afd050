# expects: check values
# says: Your answer is one gradient, that of the mean loss. The examples were averaged before they
#     were differentiated.
"""Averages first, and differentiates once."""

import jax


def per_example(loss, params, xs, ys):
    def mean_loss(params):
        return jax.vmap(loss, in_axes=(None, 0, 0))(params, xs, ys).mean()

    return jax.grad(mean_loss)(params)
