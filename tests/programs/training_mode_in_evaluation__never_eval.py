# expects: training-mode-in-evaluation at 28
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.inner = nnx.Linear(2, 16, rngs=rngs)
        self.drop = nnx.Dropout(0.5, rngs=rngs)
        self.readout = nnx.Linear(16, 1, rngs=rngs)

    def __call__(self, x):
        return self.readout(self.drop(jnp.tanh(self.inner(x))))


def loss(net, x):
    return jnp.mean((net(x) - 1.0) ** 2)


@nnx.jit
def gradient_norm(net, x):
    return sum(jnp.sum(g**2) for g in jax.tree.leaves(nnx.grad(loss)(net, x)))


def predict(net, x):
    return net(x)


net = Net(nnx.Rngs(0))
x = jnp.ones((4, 2))
print(gradient_norm(net, x))
print(predict(net, x))
