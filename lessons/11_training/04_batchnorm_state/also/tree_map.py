"""Statistics as one tree, mixed into the state leaf by leaf."""

import jax
import jax.numpy as jnp


def batch_norm(params, state, x, train):
    used = {"mean": jnp.mean(x, 0), "var": jnp.var(x, 0)} if train else state
    y = (x - used["mean"]) * jax.lax.rsqrt(used["var"] + 1e-5)
    if train:
        state = jax.tree.map(lambda old, new: old + 0.1 * (new - old), state, used)
    return y * params["scale"] + params["shift"], state
