# expects: check traces-once
# says: Your layer is traced again for a config with the same contents. Two objects with equal
#     fields must be equal, and the same compiled function must receive them.
"""Uses an ordinary class: each object is a key of its own."""

from functools import partial

import jax
import jax.numpy as jnp


class Config:
    def __init__(self, degree, bias=True):
        self.degree = degree
        self.bias = bias


def make_layer():
    @partial(jax.jit, static_argnames="cfg")
    def layer(x, cfg):
        first = 0 if cfg.bias else 1
        return jnp.stack([x**power for power in range(first, cfg.degree + 1)], axis=-1)

    return layer
