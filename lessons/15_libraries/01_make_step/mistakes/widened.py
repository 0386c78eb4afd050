# expects: check dtype
# says: Your parameters take on the dtype of the updates, which may be wider. `bfloat16` plus
#     `float32` is `float32`.
"""Adds without converting back."""

import jax


def make_step(loss, tx):
    @jax.jit
    def step(params, state, batch):
        value, grads = jax.value_and_grad(loss)(params, batch)
        grads = jax.tree.map(lambda g: g.astype("float32"), grads)
        updates, state = tx.update(grads, state, params)
        return jax.tree.map(lambda p, u: p + u, params, updates), state, value

    return step
