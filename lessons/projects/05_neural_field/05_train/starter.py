"""Training on minibatches, in one loop."""

from functools import partial

import jax
import jax.numpy as jnp

ROWS = 512
RATE = 5e-3


def fresh(key, sizes=(64, 64, 64, 3), speed=2.0):
    """Return the state of a run before its first step; the waves have `speed` turns per unit."""
    first, second, key = jax.random.split(key, 3)
    params = init(first, sizes)
    waves = speed * jax.random.normal(second, (2, sizes[0] // 2))
    zeros = jax.tree.map(jnp.zeros_like, params)
    run = {"params": params, "m": zeros, "v": zeros, "count": jnp.int32(0)}
    return {**run, "waves": waves, "key": key}


def adam(state, grads):
    """Return the state with new parameters, averages and count; the rest stays as it is."""
    count = state["count"] + 1
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], grads)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g**2, state["v"], grads)
    rate = RATE * jnp.sqrt(1 - 0.99**count) / (1 - 0.9**count)

    def move(p, m, v):
        return p - rate * m / (jnp.sqrt(v) + 1e-8)

    params = jax.tree.map(move, state["params"], m, v)
    return {**state, "params": params, "m": m, "v": v, "count": count}


@partial(jax.jit, static_argnames="steps")
def train(state, places, colours, steps):
    """Return the state after so many steps, and the loss of each step, shape (steps,)."""
    losses = []
    # TODO: each round adds a step to the program, and all of them see the first rows.
    for _ in range(steps):
        batch = state["waves"], places[:ROWS], colours[:ROWS]
        value, grads = jax.value_and_grad(loss)(state["params"], *batch)
        state = adam(state, grads)
        losses.append(value)
    return state, jnp.stack(losses)
