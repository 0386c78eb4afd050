# expects: check gradient
# says: Your values are right, but the gradient of the policy's part flows into the baseline too.
#     There, the difference is a number that was observed.
"""Stops no gradient."""

import jax
import jax.numpy as jnp


HIDDEN = 16


def init(key):
    """Return the parameters of two small networks: for the policy, and for the baseline."""

    def layers(key, outputs):
        return {
            "w": 0.5 * jax.random.normal(key, (4, HIDDEN)),
            "b": jnp.zeros(HIDDEN),
            "v": jnp.zeros((HIDDEN, outputs)),
            "c": jnp.zeros(outputs),
        }

    policy_key, baseline_key = jax.random.split(key)
    return {"policy": layers(policy_key, 2), "baseline": layers(baseline_key, 1)}


def network(layers, states):
    """Return what a network computes from states of shape (..., 4)."""
    hidden = jnp.tanh(states @ layers["w"] + layers["b"])
    return hidden @ layers["v"] + layers["c"]


def scores(params, states):
    """Return a score for each action; their softmax is the policy. The shape is (..., 2)."""
    return network(params["policy"], states)


def baseline(params, states):
    """Return the return that the program expects in each state, shape (...)."""
    return network(params["baseline"], states)[..., 0]


def loss(params, states, actions, alive, returns):
    logs = jax.nn.log_softmax(scores(params, states))
    taken = jnp.take_along_axis(logs, actions[..., None], axis=-1)[..., 0]
    better = returns - baseline(params, states)
    each = better**2 / 2 - taken * better
    return jnp.sum(jnp.where(alive, each, 0.0)) / states.shape[0]
