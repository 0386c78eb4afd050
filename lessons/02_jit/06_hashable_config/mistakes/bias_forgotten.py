# expects: check values
# says: Your answer never has the column `x**0`. It comes first if `cfg.bias` is true.
"""Never looks at the bias."""

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
        return jnp.stack([x**power for power in range(1, cfg.degree + 1)], axis=-1)

    return layer
