# expects: second-name-for-module at 22
# needs: flax optax
import jax.numpy as jnp
import optax
from flax import nnx

model = nnx.Linear(1, 1, rngs=nnx.Rngs(2))
optimizer = nnx.Optimizer(model, optax.sgd(0.4), wrt=nnx.Param)
x = jnp.linspace(0.0, 1.0, 5)[:, None]


def loss(model):
    return jnp.mean((model(x) - 2.0 * x) ** 2)


lowest, best = float("inf"), None
for _ in range(4):
    value, grads = nnx.value_and_grad(loss)(model)
    optimizer.update(model, grads)
    if value < lowest:
        lowest = float(value)
        best = nnx.state(model)
nnx.update(model, best)
print(loss(model).shape)
