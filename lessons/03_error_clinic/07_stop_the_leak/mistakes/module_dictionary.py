# expects: leaked-by-global at 13
"""Stores the outputs in a dictionary of the module."""

import jax.numpy as jnp

CACHE = {}


def forward(params, x):
    names = range(len(params))
    for name, w in zip(names, params):
        x = jnp.maximum(x @ w, 0)
        CACHE[name] = x
    return x, [CACHE[name] for name in names]
