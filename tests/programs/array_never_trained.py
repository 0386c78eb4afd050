# expects: array-never-trained at 11
# needs: flax optax
import jax.numpy as jnp
import optax
from flax import nnx


class Line(nnx.Module):
    def __init__(self, rngs):
        self.slope = nnx.Param(rngs.normal((3,)))
        self.bias = jnp.zeros(3)

    def __call__(self, x):
        return x * self.slope[...] + self.bias


model = Line(nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
for _ in range(2):
    grads = nnx.grad(lambda model: jnp.mean((model(jnp.ones(3)) - 2.0) ** 2))(model)
    optimizer.update(model, grads)
print(model.bias)
