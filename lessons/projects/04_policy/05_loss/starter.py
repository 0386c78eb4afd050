"""A policy, and how it learns."""

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
    """Return a number whose gradient is that of REINFORCE, and of a baseline that learns."""
    chances = jax.nn.softmax(scores(params, states))
    # TODO: this is the chance of action 1, whatever was done, and no gradient is stopped.
    better = returns - baseline(params, states)
    return -jnp.mean(chances[..., 1] * better)
