# expects: check values
# says: Your layer confuses two different configs and runs the program of one for the other.
#     Objects with equal hashes may still differ; `__eq__` must compare every field.
"""Takes two configs for equal when their hashes are."""

from functools import partial

import jax
import jax.numpy as jnp


class Config:
    __slots__ = ("_bias", "_degree")

    def __init__(self, degree, bias=True):
        self._degree = degree
        self._bias = bias

    degree = property(lambda self: self._degree)
    bias = property(lambda self: self._bias)

    def __hash__(self):
        return self.degree + self.bias

    def __eq__(self, other):
        return hash(self) == hash(other)


def make_layer():
    @partial(jax.jit, static_argnames="cfg")
    def layer(x, cfg):
        first = 0 if cfg.bias else 1
        return jnp.stack([x**power for power in range(first, cfg.degree + 1)], axis=-1)

    return layer
