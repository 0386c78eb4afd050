# expects: check values
# says: Your decay goes through Adam's averages, which divide it by the size of past gradients. In
#     AdamW it is added after them.
"""Adds the decay to the gradient, before Adam."""

import jax
import optax


def decay_matrices_only(rate, decay):
    def mask(params):
        return jax.tree.map(lambda p: p.ndim >= 2, params)

    return optax.chain(
        optax.masked(optax.add_decayed_weights(decay), mask),
        optax.scale_by_adam(),
        optax.scale_by_learning_rate(rate),
    )
