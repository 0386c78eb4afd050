# expects: unhashable-static-field at 11
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Config:
    scale: jax.Array
    degree: int = 2


@partial(jax.jit, static_argnames="config")
def power(x, config):
    return config.scale * x**config.degree


power(2.0, Config(jnp.ones(3)))
