# expects: shape-mismatch-matmul at 10
import jax.numpy as jnp


class Net:
    def __init__(self):
        self.w = jnp.ones((5, 3))

    def __call__(self, x):
        h = x @ self.w
        return h.sum()


Net()(jnp.ones((2, 3)))
