"""Uses the mask that AdamW takes itself."""

import jax
import jax.numpy as jnp
import optax


def decay_matrices_only(rate, decay):
    def mask(params):
        return jax.tree.map(lambda p: jnp.ndim(p) > 1, params)

    return optax.adamw(rate, weight_decay=decay, mask=mask)
