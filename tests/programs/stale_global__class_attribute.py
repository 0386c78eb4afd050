# expects: stale-global at 13
import jax
import jax.numpy as jnp
import numpy as np


class Penalty:
    weight = 0.1
    mask = np.array([1.0, 0.0, 1.0])


def penalized(w):
    return jnp.sum(w**2) + Penalty.weight * jnp.abs(w).sum()


gradient = jax.jit(jax.grad(penalized))
w = jnp.array([1.0, -2.0, 3.0])
for weight in (0.1, 1.0, 10.0):
    Penalty.weight = weight
    print(gradient(w))
