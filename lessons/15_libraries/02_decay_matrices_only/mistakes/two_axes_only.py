# expects: check values
# says: A leaf with more than two axes, such as the kernel of a convolution, does not decay in your
#     optimiser.
"""Tests for exactly two axes."""

import jax
import optax


def decay_matrices_only(rate, decay):
    def mask(params):
        return jax.tree.map(lambda p: p.ndim == 2, params)

    return optax.adamw(rate, weight_decay=decay, mask=mask)
