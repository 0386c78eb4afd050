# expects: nnx-split-remainder at 21
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.layer = nnx.Linear(3, 4, rngs=rngs)
        self.noise = nnx.Dropout(0.5, rngs=rngs)

    def __call__(self, x):
        return self.noise(self.layer(x))


graph, weights, other = nnx.split(Net(nnx.Rngs(0)), nnx.Param, ...)


def loss(weights, x):
    net = nnx.merge(graph, weights)
    net.eval()
    return jnp.mean(net(x) ** 2)


print(jax.grad(loss)(weights, jnp.ones((2, 3)))["layer"]["bias"])
