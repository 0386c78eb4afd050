# expects: check network
# says: One of your matrix products is computed in the scope of the loss. The prediction belongs to
#     the network.
"""Names only the first layer as the network."""

import jax
import jax.numpy as jnp


def named_step(w, x, y):
    def loss_of(w):
        with jax.named_scope("network"):
            hidden = jnp.tanh(x @ w["in"])
        with jax.named_scope("loss"):
            return jnp.mean((hidden @ w["out"] - y) ** 2)

    loss, slope = jax.value_and_grad(loss_of)(w)
    with jax.named_scope("update"):
        return jax.tree.map(lambda w, slope: w - 0.1 * slope, w, slope), loss
