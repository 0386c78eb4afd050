# expects: callback-result-not-described at 13
import jax
import jax.numpy as jnp
import numpy as np


class Table:
    def __init__(self, heights):
        self.heights = np.asarray(heights, np.float32)

    def lookup(self, x):
        result = jax.ShapeDtypeStruct(x.shape, np.float64)
        return jax.pure_callback(lambda i: self.heights[i], result, x)


print(jax.jit(Table([0.5, 1.5, 2.5]).lookup)(jnp.array([2, 0])))
