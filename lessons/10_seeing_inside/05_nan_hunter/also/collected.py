"""The results are collected, and tested afterwards."""

import jax.numpy as jnp


def first_bad_layer(layers, x):
    states = [x]
    for layer in layers:
        states.append(layer(states[-1]))
    bad = [bool(jnp.isnan(state).any()) for state in states]
    return bad.index(True) - 1 if True in bad else -1
