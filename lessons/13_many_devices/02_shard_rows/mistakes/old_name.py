# expects: removed-api at 9
"""Calls what older versions had."""

import jax
import jax.numpy as jnp


def shard_rows(x):
    return jax.device_put_sharded(list(jnp.split(x, 8)), jax.devices())
