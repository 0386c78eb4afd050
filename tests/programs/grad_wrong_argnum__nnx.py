# expects: grad-wrong-argnum at 14
# needs: flax optax
import jax.numpy as jnp
import optax
from flax import nnx


def loss(x, y, model):
    return jnp.mean((model(x) - y) ** 2)


@nnx.jit
def step(model, optimizer, x, y):
    value, grads = nnx.value_and_grad(loss)(x, y, model)
    optimizer.update(model, grads)
    return value


model = nnx.Linear(3, 1, rngs=nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
step(model, optimizer, jnp.ones((4, 3)), jnp.ones((4, 1)))
