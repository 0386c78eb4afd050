"""Decay for some leaves."""

import jax
import optax


def decay_matrices_only(rate, decay):
    """Return AdamW with decay for the leaves that have two or more axes."""

    def are_matrices(params):
        return jax.tree.map(lambda p: p.ndim >= 2, params)

    return optax.chain(
        optax.scale_by_adam(),
        # Only this link is masked: the other leaves pass through it, with Adam's update.
        optax.masked(optax.add_decayed_weights(decay), are_matrices),
        optax.scale_by_learning_rate(rate),
    )
