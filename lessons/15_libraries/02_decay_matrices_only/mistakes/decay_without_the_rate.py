# expects: check values
# says: Your decay is not multiplied by the rate. The rate applies to the sum of both, so it comes
#     last.
"""Adds the decay after the rate."""

import jax
import optax


def decay_matrices_only(rate, decay):
    def is_table(params):
        return jax.tree.map(lambda p: p.ndim >= 2, params)

    return optax.chain(
        optax.scale_by_adam(),
        optax.scale_by_learning_rate(rate),
        optax.add_decayed_weights(-decay, mask=is_table),
    )
