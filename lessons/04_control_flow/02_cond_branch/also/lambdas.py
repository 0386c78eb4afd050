"""Without operands: the branches use what is around them."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    return jax.lax.cond(flag, lambda: x / jnp.linalg.norm(x), lambda: x)
