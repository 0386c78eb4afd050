# expects: numpy-buffer-write at 11
import jax
import jax.numpy as jnp
import numpy as np


def simulate(x0):
    xs = np.empty((4, 2))
    x = x0
    for t in range(4):
        xs[t] = x
        x = 0.9 * x
    return xs


jax.jit(simulate)(jnp.ones(2))
