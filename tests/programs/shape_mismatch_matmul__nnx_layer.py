# expects: shape-mismatch-matmul at 11
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.first = nnx.Linear(8, 16, rngs=rngs)
        self.second = nnx.Linear(8, 2, rngs=rngs)

    def __call__(self, x):
        x = nnx.relu(self.first(x))
        return self.second(x)


net = Net(nnx.Rngs(0))


@nnx.jit
def run(net, x):
    return net(x).sum()


print(run(net, jnp.ones((4, 8))))
