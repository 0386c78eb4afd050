# expects: text-as-number at 12
import os

import jax
import jax.numpy as jnp


def train(steps):
    rate = os.environ.get("LEARNING_RATE", "0.1")
    w = jnp.ones(3)
    for _ in range(steps):
        w = w - rate * jax.grad(lambda w: jnp.sum(w**2))(w)
    return w


print(train(3))
