"""Adds the updates itself, and converts back."""

import jax


def make_step(loss, tx):
    def step(params, state, batch):
        grads = jax.grad(loss)(params, batch)
        updates, new = tx.update(grads, state, params)
        moved = jax.tree.map(lambda p, u: (p + u).astype(p.dtype), params, updates)
        return moved, new, loss(params, batch)

    return jax.jit(step)
