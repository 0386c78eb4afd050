"""Writes the link of the chain itself."""

import jax
import optax


def decay_matrices_only(rate, decay):
    def add_decay(updates, params):
        return jax.tree.map(lambda u, p: u + decay * p if p.ndim >= 2 else u, updates, params)

    return optax.chain(
        optax.scale_by_adam(), optax.stateless(add_decay), optax.scale_by_learning_rate(rate)
    )
