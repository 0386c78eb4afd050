"""Settings as one static object: a layer of powers."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass
class Config:
    """Which powers to take."""

    degree: int
    bias: bool = True


def make_layer():
    """Return a compiled layer(x, cfg), which gives the powers of x as columns."""

    @partial(jax.jit, static_argnames="cfg")
    def layer(x, cfg):
        # TODO: a Config cannot be a static argument yet, and the bias is missing.
        return jnp.stack([x**power for power in range(1, cfg.degree + 1)], axis=-1)

    return layer
