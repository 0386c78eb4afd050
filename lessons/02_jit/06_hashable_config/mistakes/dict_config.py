# expects: unhashable-static at 14
"""Uses a dict for the settings."""

from functools import partial

import jax
import jax.numpy as jnp


Config = dict


def make_layer():
    @partial(jax.jit, static_argnames="cfg")
    def layer(x, cfg):
        first = 0 if cfg["bias"] else 1
        return jnp.stack([x**power for power in range(first, cfg["degree"] + 1)], axis=-1)

    return layer
