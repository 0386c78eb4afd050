# expects: check dtype
# says: Your values are right, but the leaves do not keep their dtype: a learning rate with a
#     dtype of its own widens `bfloat16`. A Python number does not.
"""Turns the learning rate into a float32 array, which widens bfloat16."""

import jax
import jax.numpy as jnp


def sgd(params, grads, lr):
    lr = jnp.asarray(lr, jnp.float32)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads)
