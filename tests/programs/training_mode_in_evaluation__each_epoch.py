# expects: training-mode-in-evaluation at 30
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
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
def step(net, optimizer, x):
    optimizer.update(net, nnx.grad(loss)(net, x))


@nnx.jit
def forward(net, x):
    return net(x)


net = Net(nnx.Rngs(0))
optimizer = nnx.Optimizer(net, optax.sgd(0.1), wrt=nnx.Param)
x = jnp.ones((4, 2))
errors = []
for _ in range(3):
    step(net, optimizer, x)
    errors.append(float(jnp.mean((forward(net, x) - 1.0) ** 2)))
print(errors)
