# expects: vmap-body-sees-one-example at 10
"""Still counts the batch axis inside."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jax.vmap(lambda x, y: x[:, :, None] * y[:, None, :])(a, b)
