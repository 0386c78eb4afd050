# expects: nnx-foreign-trace at 26
# needs: flax optax
import jax.numpy as jnp
import optax
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.fc = nnx.Linear(2, 2, rngs=rngs)
        self.drop = nnx.Dropout(0.5, rngs=rngs)

    def __call__(self, x):
        return self.drop(self.fc(x))


model = Net(nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)


@nnx.jit
def train_step(optimizer, x):
    def loss_fn(m):
        return model(x).mean()

    grads = nnx.grad(loss_fn)(model)
    optimizer.update(model, grads)


train_step(optimizer, jnp.ones((3, 2)))
