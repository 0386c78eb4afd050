"""By position, and with the rate as an argument inside."""

from functools import partial

import jax


def step(lr, params, grads):
    return jax.tree.map(lambda p, g: p - lr * g, params, grads)


def make_update(lr):
    return jax.jit(partial(step, lr), donate_argnums=(0,))
