# expects: check values
# says: Your loss belongs to the new parameters. The problem asks for the loss before the step.
"""Computes the loss again after the step."""

import jax
import jax.numpy as jnp


def mixed_step(params, x, y, lr):
    def loss_of(params):
        w1, w2, rows = (a.astype(jnp.bfloat16) for a in (params["w1"], params["w2"], x))
        out = jnp.tanh(rows @ w1) @ w2
        return jnp.mean((out.astype(jnp.float32) - y) ** 2)

    grads = jax.grad(loss_of)(params)
    params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
    return params, loss_of(params)
