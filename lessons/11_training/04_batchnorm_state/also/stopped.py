"""What goes into the state carries no gradient: it is cut off there."""

import jax
import jax.numpy as jnp


def batch_norm(params, state, x, train):
    mean, var = state["mean"], state["var"]
    if train:
        mean = x.mean(axis=0)
        var = jnp.mean((x - mean) ** 2, axis=0)
        batch = jax.lax.stop_gradient({"mean": mean, "var": var})
        state = {key: 0.9 * state[key] + 0.1 * batch[key] for key in state}
    slope = params["scale"] / jnp.sqrt(var + 1e-5)
    return x * slope + (params["shift"] - mean * slope), state
