# expects: config-flag-not-static at 16
from typing import NamedTuple

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


print(make_layer()(jnp.ones(3), Config(2)))
