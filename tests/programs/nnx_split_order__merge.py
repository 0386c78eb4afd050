# expects: nnx-split-order at 13
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Predictor:
    def __init__(self, net):
        self.graph, self.weights = nnx.split(net)

    def __call__(self, x):
        net = nnx.merge(self.weights, self.graph)
        return net(x)


print(Predictor(nnx.Linear(2, 1, rngs=nnx.Rngs(0)))(jnp.ones((3, 2))).shape)
