# expects: check values
# says: Your mask is the wrong way round: vectors decay, and matrices do not. A mask says where the
#     transformation applies.
"""Inverts the mask."""

import jax
import optax


def decay_matrices_only(rate, decay):
    def mask(params):
        return jax.tree.map(lambda p: p.ndim < 2, params)

    return optax.adamw(rate, weight_decay=decay, mask=mask)
