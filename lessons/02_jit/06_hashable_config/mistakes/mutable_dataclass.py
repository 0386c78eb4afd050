# expects: unhashable-static at 11
"""Uses a dataclass that can change, and so has no hash."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass
class Config:
    degree: int
    bias: bool = True


def make_layer():
    @partial(jax.jit, static_argnames="cfg")
    def layer(x, cfg):
        first = 0 if cfg.bias else 1
        return jnp.stack([x**power for power in range(first, cfg.degree + 1)], axis=-1)

    return layer
