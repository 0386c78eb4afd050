# expects: optax-params-missing at 18
# needs: optax
from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax


class Learner(NamedTuple):
    weights: dict
    opt_state: optax.OptState


@jax.jit
def step(learner, x, y):
    grads = jax.grad(lambda w: jnp.mean((x @ w["w"] - y) ** 2))(learner.weights)
    updates, opt_state = optimizer.update(grads, learner.opt_state)
    return Learner(optax.apply_updates(learner.weights, updates), opt_state)


optimizer = optax.chain(optax.clip(1.0), optax.add_decayed_weights(1e-3), optax.sgd(0.1))
start = {"w": jnp.zeros(3)}
learner = Learner(start, optimizer.init(start))
x = jnp.arange(12.0).reshape(4, 3)
for _ in range(2):
    learner = step(learner, x, jnp.ones(4))
print(learner.weights["w"].shape)
