"""The first layer's output, and those of the layers after it."""

import jax


def outputs(params, x):
    if not params:
        return []
    h = jax.nn.relu(x @ params[0])
    return [h, *outputs(params[1:], h)]


def forward(params, x):
    activations = outputs(params, x)
    return activations[-1], activations
