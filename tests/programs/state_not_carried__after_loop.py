# expects: state-not-carried at 35
# needs: optax
from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax


class Learner(NamedTuple):
    weights: dict
    slow: dict
    moments: optax.OptState


optimizer = optax.sgd(0.1, momentum=0.9)


def error(weights, slow, x):
    goal = x.sum(-1) + 0.9 * jnp.tanh(x @ slow["w"])
    return jnp.mean((jnp.tanh(x @ weights["w"]) + weights["b"] - goal) ** 2)


def descend(learner, x):
    slopes = jax.grad(error)(learner.weights, learner.slow, x)
    updates, moments = optimizer.update(slopes, learner.moments)
    weights = optax.apply_updates(learner.weights, updates)
    return learner._replace(weights=weights, moments=moments)


@jax.jit
def train(learner, blocks):
    for x in blocks:
        learner = descend(learner, x)
        slow = optax.incremental_update(learner.weights, learner.slow, 0.1)
    return learner._replace(slow=slow)


weights = {"w": jnp.zeros(2), "b": jnp.zeros(())}
learner = Learner(weights, weights, optimizer.init(weights))
for key in jax.random.split(jax.random.key(0), 5):
    learner = train(learner, jax.random.normal(key, (4, 8, 2)))
print(learner.slow["b"])
