"""The count starts at 1, is the number of the coming step, and both averages are one array."""

import jax
import jax.numpy as jnp


def adam_init(params):
    return {"next": jnp.int32(1), "mv": jax.tree.map(lambda p: jnp.stack([p * 0, p * 0]), params)}


def adam_update(grads, state, params, lr):
    t = state["next"]
    mv = jax.tree.map(
        lambda a, g: jnp.stack([0.9 * a[0] + 0.1 * g, 0.999 * a[1] + 0.001 * g**2]),
        state["mv"],
        grads,
    )

    def move(p, a):
        step = (a[0] / (1 - 0.9**t)) / (jnp.sqrt(a[1] / (1 - 0.999**t)) + 1e-8)
        return p - lr * step.astype(p.dtype)

    return jax.tree.map(move, params, mv), {"next": t + 1, "mv": mv}
