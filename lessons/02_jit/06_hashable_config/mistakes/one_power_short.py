# expects: check values
# says: Your answer stops one power early: `range` leaves its end out. The last column is `x` to the
#     power of `degree`.
"""Leaves out the last power."""

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
        first = 0 if cfg.bias else 1
        return jnp.stack([x**p for p in range(first, cfg.degree)], axis=-1)

    return layer
