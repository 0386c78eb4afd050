# expects: stale-global at 24
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax import nnx

line = nnx.Linear(2, 1, rngs=nnx.Rngs(0))
optimizer = nnx.Optimizer(line, optax.sgd(0.1), wrt=nnx.Param)
x, y = jnp.ones((3, 2)), jnp.zeros((3, 1))


@nnx.jit
def fit(line, optimizer):
    def loss(line):
        return jnp.mean((line(x) - y) ** 2)

    optimizer.update(line, nnx.grad(loss)(line))


@jax.jit
def error():
    # The weights are constants of the compiled program.
    return jnp.mean((line(x) - y) ** 2)


for _ in range(3):
    fit(line, optimizer)
    print(error())
