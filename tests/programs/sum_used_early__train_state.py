# expects: sum-used-early at 46
# needs: optax
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

EVERY = 4
tx = optax.adam(0.05)


class State(NamedTuple):
    step: jax.Array
    params: Any
    moments: Any
    total: Any


def loss(params, x, y):
    return jnp.mean((jnp.tanh(x @ params["w"]) + params["b"] - y) ** 2)


@jax.jit
def train_step(state, x, y):
    grads = jax.grad(loss)(state.params, x, y)
    total = jax.tree.map(jnp.add, state.total, grads)

    def update():
        mean = jax.tree.map(lambda t: t / EVERY, total)
        updates, moments = tx.update(mean, state.moments)
        params = optax.apply_updates(state.params, updates)
        return State(state.step + 1, params, moments, jax.tree.map(jnp.zeros_like, total))

    def wait():
        return state._replace(step=state.step + 1, total=total)

    return jax.lax.cond(state.step % EVERY == 0, update, wait)


x = jax.random.normal(jax.random.key(0), (24, 8, 3))
params = {"w": jnp.array([0.1, 0.2, -0.1]), "b": jnp.array(0.0)}
zeros = jax.tree.map(jnp.zeros_like, params)
state = State(jnp.array(0), params, tx.init(params), zeros)
for batch in x:
    state = train_step(state, batch, batch[:, 0])
