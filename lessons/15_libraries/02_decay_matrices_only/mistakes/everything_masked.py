# expects: check values
# says: Only matrices are trained. The other leaves pass through the masked optimiser, and what is
#     added to them is the gradient itself.
"""Masks the whole optimiser."""

import jax
import optax


def decay_matrices_only(rate, decay):
    def mask(params):
        return jax.tree.map(lambda p: p.ndim >= 2, params)

    return optax.masked(optax.adamw(rate, weight_decay=decay), mask)
