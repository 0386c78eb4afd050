# expects: scan-carry-dtype-change at 28
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    position: jax.Array
    metrics: dict


def reset(n):
    zero = jnp.zeros(())
    return State(jnp.zeros(n), {"distance": zero, "bounces": jnp.zeros((), jnp.int32)})


def step(state, action):
    position = state.position + 0.1 * action
    metrics = {
        "distance": jnp.abs(position).sum(),
        "bounces": state.metrics["bounces"] + (jnp.abs(position) > 1.0).mean(),
    }
    return State(position, metrics), position


def rollout(actions):
    return jax.lax.scan(step, reset(actions.shape[1]), actions)


final, path = rollout(jnp.ones((50, 3)))
print(final.metrics)
