# expects: check gradient
# says: Your values are right, but the gradient at rate 1 is NaN without `jax.jit`: the division
#     by 0 still happens, and a repair of its result does not repair its gradient. Divide by
#     something that is never 0.
"""Turns NaN into 0 after the division."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.nan_to_num(keep * x / (1 - rate))
