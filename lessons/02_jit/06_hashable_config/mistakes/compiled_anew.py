# expects: check traces-once
# says: Your layer is traced again for a config with the same contents. Two objects with equal
#     fields must be equal, and the same compiled function must receive them.
"""Compiles a new partial for each call."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Config:
    degree: int
    bias: bool = True


def powers(cfg, x):
    first = 0 if cfg.bias else 1
    return jnp.stack([x**power for power in range(first, cfg.degree + 1)], axis=-1)


def make_layer():
    return lambda x, cfg: jax.jit(partial(powers, cfg))(x)
