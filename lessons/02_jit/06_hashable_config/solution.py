"""Settings as one static object: a layer of powers."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


# Frozen: it has a hash, compares by its fields, and never changes while it is a key.
@dataclass(frozen=True)
class Config:
    """Which powers to take."""

    degree: int
    bias: bool = True


def make_layer():
    """Return a compiled layer(x, cfg), which gives the powers of x as columns."""

    @partial(jax.jit, static_argnames="cfg")
    def layer(x, cfg):
        first = 0 if cfg.bias else 1
        return jnp.stack([x**power for power in range(first, cfg.degree + 1)], axis=-1)

    return layer
