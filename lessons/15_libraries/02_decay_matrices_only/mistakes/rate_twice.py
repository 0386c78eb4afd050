# expects: check values
# says: Your decay does not depend on the rate. It is added before the rate scales everything.
"""Adds the decay after the rate."""

import jax
import optax


def decay_matrices_only(rate, decay):
    def mask(params):
        return jax.tree.map(lambda p: p.ndim >= 2, params)

    return optax.chain(
        optax.adam(rate),
        optax.masked(optax.add_decayed_weights(-decay), mask),
    )
