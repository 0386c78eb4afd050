# expects: nnx-list-of-modules at 9
# needs: flax
import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.layers = []
        for _ in range(3):
            self.layers.append(nnx.Linear(2, 2, rngs=rngs))

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


net = Net(nnx.Rngs(0))
print(nnx.jit(lambda m, x: m(x))(net, jnp.ones((1, 2))))
