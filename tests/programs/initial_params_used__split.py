# expects: initial-params-used at 22
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx

model = nnx.Linear(2, 1, rngs=nnx.Rngs(0))
graphdef, state = nnx.split(model)
x = jnp.ones((4, 2))


@jax.jit
def step(state):
    def loss(state):
        return jnp.mean((nnx.merge(graphdef, state)(x) - 1.0) ** 2)

    return jax.tree.map(lambda p, g: p - 0.1 * g, state, jax.grad(loss)(state))


for _ in range(20):
    state = step(state)
print(model(x))
