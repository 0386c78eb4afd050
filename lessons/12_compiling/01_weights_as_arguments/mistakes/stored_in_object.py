# expects: check leaks
# says: Your numbers are right, but an object outside of the call keeps the weights that it was
#     called with, and under `jax.jit` these are tracers. Pass them on as an argument instead.
"""Stores the weights in an object, and reads them back."""

import jax
import jax.numpy as jnp


class Linear:
    def __init__(self, W):
        self.weight = W

    def load(self, weights):
        self.weight = weights

    def __call__(self, x):
        return jnp.tanh(x @ self.weight)


def make_model(W):
    model = Linear(W)

    @jax.jit
    def forward(weights, x):
        model.load(weights)
        return model(x)

    return forward, model.weight
