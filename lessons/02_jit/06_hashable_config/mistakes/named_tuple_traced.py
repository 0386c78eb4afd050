# expects: config-flag-not-static at 19
"""Uses a tuple, which jit looks into, and traces its fields."""

from typing import NamedTuple
from functools import partial

import jax
import jax.numpy as jnp


class Config(NamedTuple):
    degree: int
    bias: bool = True


def make_layer():
    @jax.jit
    def layer(x, cfg):
        first = 0 if cfg.bias else 1
        return jnp.stack([x**power for power in range(first, cfg.degree + 1)], axis=-1)

    return layer
