# expects: check values
# says: Your answer is NaN for negative numbers, which have no logarithm. Take the powers
#     themselves.
"""Computes powers by way of logarithms, which negative numbers do not have."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Config:
    degree: int
    bias: bool = True


def make_layer():
    @partial(jax.jit, static_argnames="cfg")
    def layer(x, cfg):
        columns = jnp.exp(jnp.log(x)[:, None] * jnp.arange(cfg.degree + 1))
        return columns if cfg.bias else columns[:, 1:]

    return layer
