# expects: grad-int-input at 23
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.linear = nnx.Linear(3, 1, rngs=rngs)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)

    def __call__(self, x):
        return self.linear(self.dropout(x))


def loss(model, x, y):
    return jnp.mean((model(x) - y) ** 2)


def step(model, optimizer, x, y):
    gradient = jax.grad(loss)
    optimizer.update(model, gradient(model, x, y))


model = Net(nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
step(model, optimizer, jnp.ones((4, 3)), jnp.ones((4, 1)))
print(model.linear.kernel.shape)
