# expects: zero-gradient at 15
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax import nnx

model = nnx.Linear(3, 4, rngs=nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)


@nnx.jit
def step(model, optimizer, x, y):
    def loss(model):
        chosen = jnp.argmax(model(x), axis=-1)
        return jnp.mean((chosen - y) ** 2.0)

    optimizer.update(model, nnx.grad(loss)(model))


for _ in range(2):
    step(model, optimizer, jnp.ones((5, 3)), jnp.zeros(5))
