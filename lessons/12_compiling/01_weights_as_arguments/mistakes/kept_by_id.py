# expects: check traces-once
# says: Your numbers are right, but new weights are compiled again. Weights that go in as an
#     argument share one program, and nothing has to be remembered.
"""Keeps a program for each array it has seen."""

import jax
import jax.numpy as jnp


def make_model(W):
    programs = {}

    def forward(weights, x):
        if id(weights) not in programs:
            programs[id(weights)] = weights, jax.jit(lambda x: jnp.tanh(x @ weights))
        return programs[id(weights)][1](x)

    return forward, W
