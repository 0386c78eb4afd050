# expects: nnx-remat-of-class at 7
# needs: flax
import jax.numpy as jnp
from flax import nnx


@nnx.remat
class Layer(nnx.Module):
    def __init__(self, size, *, rngs):
        self.up = nnx.Linear(size, 2 * size, rngs=rngs)
        self.down = nnx.Linear(2 * size, size, rngs=rngs)

    def __call__(self, x):
        return x + self.down(nnx.relu(self.up(x)))


layer = Layer(3, rngs=nnx.Rngs(0))
print(nnx.grad(lambda layer, x: layer(x).sum())(layer, jnp.ones(3))["up"]["bias"])
