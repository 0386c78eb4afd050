# expects: numpy-array-without-at at 8
import jax
import jax.numpy as jnp
import numpy as np


def scatter(grid, where, values):
    return grid.at[where].add(values)


grid = np.loadtxt(["0.0", "1.0", "2.0"])
print(scatter(grid, jnp.array([0, 2]), jnp.ones(2)))
print(jax.default_backend())
