"""A table of compiled functions, kept by config."""

from dataclasses import dataclass
from functools import lru_cache

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Config:
    """Which powers to take."""

    degree: int
    bias: bool = True


@lru_cache
def program(cfg):
    @jax.jit
    def powers(x):
        return jnp.stack([x**k for k in range(not cfg.bias, cfg.degree + 1)], axis=-1)

    return powers


def make_layer():
    return lambda x, cfg: program(cfg)(x)
