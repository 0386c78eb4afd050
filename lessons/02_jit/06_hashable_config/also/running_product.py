"""Unpacks the settings before the compiled function, and multiplies power by power."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Config:
    """Which powers to take."""

    degree: int
    bias: bool = True


@partial(jax.jit, static_argnames=("degree", "bias"))
def powers(x, degree, bias):
    columns = [jnp.ones_like(x)] if bias else []
    power = x
    for _ in range(degree):
        columns.append(power)
        power = power * x
    return jnp.column_stack(columns)


def make_layer():
    return lambda x, cfg: powers(x, cfg.degree, cfg.bias)
