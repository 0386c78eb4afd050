from functools import partial

import jax
import jax.numpy as jnp

ROWS = 16
RATE = 3e-3


def adam_init(params):
    """Return the state before the first step: two averages of each parameter."""
    zeros = jax.tree.map(jnp.zeros_like, params)
    return {"m": zeros, "v": zeros}


def adam_update(grads, state, params, count):
    """Return parameters and state after step number `count`, which is 1 for the first."""
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], grads)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g**2, state["v"], grads)

    def move(p, m, v):
        m_hat, v_hat = m / (1 - 0.9**count), v / (1 - 0.99**count)
        return p - RATE * m_hat / (jnp.sqrt(v_hat) + 1e-8)

    return jax.tree.map(move, params, m, v), {"m": m, "v": v}


@partial(jax.jit, static_argnames="steps")
def train(key, ids, steps):
    """Return the parameters after so many steps, and the loss of each step."""
    params, losses = init(key), []
    # TODO: draw new windows in each step, and make the steps one loop with Adam.
    for _ in range(steps):
        batch = windows(ids, jnp.arange(ROWS), CONTEXT)
        loss, grads = jax.value_and_grad(mean_loss)(params, *batch)
        params = jax.tree.map(lambda p, g: p - RATE * g, params, grads)
        losses.append(loss)
    return params, jnp.stack(losses)
