# expects: check dtype
"""Makes a float32 of the learning rate, which widens bfloat16."""

import jax
import jax.numpy as jnp


def sgd(params, grads, lr):
    lr = jnp.asarray(lr, jnp.float32)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads)
