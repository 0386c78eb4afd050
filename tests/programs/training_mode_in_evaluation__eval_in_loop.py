# expects: training-mode-in-evaluation at 28
# needs: flax optax
import jax.numpy as jnp
import optax
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.norm = nnx.BatchNorm(3, rngs=rngs)
        self.readout = nnx.Linear(3, 1, rngs=rngs)

    def __call__(self, x):
        return self.readout(self.norm(x))


@nnx.jit
def train_step(net, optimizer, x):
    def loss(net):
        return jnp.mean((net(x) - 1.0) ** 2)

    value, grads = nnx.value_and_grad(loss)(net)
    optimizer.update(net, grads)
    return value


def report(net, x):
    net.eval()
    return net(x).mean()


net = Net(nnx.Rngs(0))
optimizer = nnx.Optimizer(net, optax.sgd(0.1), wrt=nnx.Param)
x = jnp.arange(12.0).reshape(4, 3)
for _ in range(3):
    train_step(net, optimizer, x)
    print(report(net, x))
