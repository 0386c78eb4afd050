# expects: check values
# says: You decide by the number of elements. A vector has many and is not a matrix, and a matrix
#     may have one. The number of axes decides.
"""Takes every leaf with more than one element for a matrix."""

import jax
import optax


def decay_matrices_only(rate, decay):
    def mask(params):
        return jax.tree.map(lambda p: p.size > 1, params)

    return optax.adamw(rate, weight_decay=decay, mask=mask)
