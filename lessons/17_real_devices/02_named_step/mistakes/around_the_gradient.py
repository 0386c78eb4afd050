# expects: check parts
# says: Your scope is around the gradient of everything, so the loss is named as the network is.
#     A scope belongs inside the function that is differentiated.
"""Opens the scope around the call of value_and_grad."""

import jax
import jax.numpy as jnp


def named_step(w, x, y):
    def loss_of(w):
        predicted = jnp.tanh(x @ w["in"]) @ w["out"]
        return jnp.mean((predicted - y) ** 2)

    with jax.named_scope("network"):
        loss, slope = jax.value_and_grad(loss_of)(w)
    with jax.named_scope("update"):
        return jax.tree.map(lambda w, slope: w - 0.1 * slope, w, slope), loss
