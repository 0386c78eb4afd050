# expects: nnx-foreign-trace at 22
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.hidden = nnx.Linear(3, 8, rngs=rngs)
        self.dropout = nnx.Dropout(0.2, rngs=rngs)
        self.out = nnx.Linear(8, 1, rngs=rngs)

    def __call__(self, x):
        return self.out(self.dropout(nnx.relu(self.hidden(x))))


structure, weights, others = nnx.split(Net(nnx.Rngs(0)), nnx.Param, ...)


def loss(weights, others, x):
    net = nnx.merge(structure, weights, others)
    return jnp.mean(net(x) ** 2)


print(jax.grad(loss)(weights, others, jnp.ones((4, 3))))
