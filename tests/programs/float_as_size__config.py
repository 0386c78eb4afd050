# expects: float-as-size at 15
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class Config:
    width: int = 1.6e1
    depth: int = 2


def initial_state(config, batch):
    return jnp.zeros((config.depth, batch, config.width))


print(jax.jit(jnp.sum)(initial_state(Config(), 3)))
