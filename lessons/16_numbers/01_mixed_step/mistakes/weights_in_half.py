# expects: check dtype
# says: Your weights come back in `bfloat16`. Only the copies that are multiplied have 16 bits.
"""Returns weights in bfloat16."""

import jax
import jax.numpy as jnp


def mixed_step(params, x, y, lr):
    params, rows = jax.tree.map(lambda a: a.astype(jnp.bfloat16), (params, x))

    def loss_of(params):
        out = jnp.tanh(rows @ params["w1"]) @ params["w2"]
        return jnp.mean((out.astype(jnp.float32) - y) ** 2)

    loss, grads = jax.value_and_grad(loss_of)(params)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss
