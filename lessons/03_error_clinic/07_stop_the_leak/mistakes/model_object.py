# expects: leaked-by-attribute at 12
"""Keeps the outputs in an object, as a model in another framework would."""

import jax.numpy as jnp


class Network:
    def run(self, params, x):
        activations = []
        for w in params:
            x = jnp.maximum(x @ w, 0)
            self.hidden = x
            activations.append(x)
        return x, activations


NETWORK = Network()


def forward(params, x):
    return NETWORK.run(params, x)
