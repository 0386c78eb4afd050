# expects: check memory
# says: Adam keeps two averages for every number, for frozen ones too, before you drop their
#     updates.
"""Runs Adam over the whole tree, and scales the updates afterwards."""

import jax
import jax.numpy as jnp
import optax


def two_rates(head_rate, body_rate):
    rates = {"head": head_rate, "body": body_rate}

    def scale(updates, params):
        return {
            name: jax.tree.map(
                (lambda u, r=rates[name]: -r * u) if name in rates else jnp.zeros_like, part
            )
            for name, part in updates.items()
        }

    return optax.chain(optax.scale_by_adam(), optax.stateless(scale))
