# expects: check frozen
# says: Your config can be changed although it is a key. JAX would go on using the program that
#     was compiled for the old value.
"""Forces a hash on a class that can change."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(unsafe_hash=True)
class Config:
    degree: int
    bias: bool = True


def make_layer():
    @partial(jax.jit, static_argnames="cfg")
    def layer(x, cfg):
        first = 0 if cfg.bias else 1
        return jnp.stack([x**power for power in range(first, cfg.degree + 1)], axis=-1)

    return layer
