"""Two rates, and a part that stays."""

import jax
import optax


def two_rates(head_rate, body_rate):
    """Return Adam with one rate for head, another for body, and none for the rest."""
    # TODO: this trains everything with one rate.
    return optax.adam(head_rate)
