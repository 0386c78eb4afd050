# expects: abstract-model-used at 16
# needs: flax
import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, *, rngs):
        self.layer = nnx.Linear(2, 3, rngs=rngs)

    def __call__(self, x):
        return nnx.relu(self.layer(x))


def load():
    net = nnx.eval_shape(lambda: Net(rngs=nnx.Rngs(0)))
    return net


print(nnx.jit(lambda net, x: net(x))(load(), jnp.ones((1, 2))))
