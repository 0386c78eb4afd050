# expects: nnx-list-of-modules at 9
# needs: flax
import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.layers = [nnx.Linear(2, 2, rngs=rngs) for _ in range(3)]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


net = Net(nnx.Rngs(0))
print(net(jnp.ones((1, 2))))
