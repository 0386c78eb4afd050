# expects: tree-taken-for-dict at 10
"""Builds the mask for a dict with known names."""

import optax


def decay_matrices_only(rate, decay):
    def mask(params):
        # A tree need not be a dict.
        return {name: name != "b" for name in params.keys()}

    return optax.adamw(rate, weight_decay=decay, mask=mask)
