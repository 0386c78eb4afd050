# expects: check products
# says: Your products of matrices are in `float32`.
"""Computes in float32."""

import jax
import jax.numpy as jnp


def mixed_step(params, x, y, lr):
    def loss_of(params):
        return jnp.mean((jnp.tanh(x @ params["w1"]) @ params["w2"] - y) ** 2)

    loss, grads = jax.value_and_grad(loss_of)(params)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss
