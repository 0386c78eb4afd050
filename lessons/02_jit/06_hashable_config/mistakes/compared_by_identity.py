# expects: check traces-once
# says: Your layer is traced again for a config with the same contents. Two objects with equal
#     fields must be equal, and the same compiled function must receive them.
"""Switches off the comparison by fields."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True, eq=False)
class Config:
    degree: int
    bias: bool = True


def make_layer():
    @partial(jax.jit, static_argnames="cfg")
    def layer(x, cfg):
        first = 0 if cfg.bias else 1
        return jnp.stack([x**power for power in range(first, cfg.degree + 1)], axis=-1)

    return layer
