# expects: check values
# says: Your answer has the column of ones last. The power 0 comes before the others.
"""Puts the column of ones last."""

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
        columns = [x**p for p in range(1, cfg.degree + 1)]
        if cfg.bias:
            columns.append(jnp.ones_like(x))
        return jnp.stack(columns, axis=-1)

    return layer
