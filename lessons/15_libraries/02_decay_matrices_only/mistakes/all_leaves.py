# expects: check values
# says: Every leaf decays, vectors and single numbers too.
"""Uses AdamW without a mask."""

import optax


def decay_matrices_only(rate, decay):
    return optax.adamw(rate, weight_decay=decay)
