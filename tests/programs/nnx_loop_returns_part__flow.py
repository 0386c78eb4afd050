# expects: nnx-loop-returns-part at 19
# needs: flax
import jax.numpy as jnp
from flax import nnx


class Field(nnx.Module):
    def __init__(self, *, rngs):
        self.layer = nnx.Linear(2, 2, rngs=rngs)

    def __call__(self, x):
        return nnx.tanh(self.layer(x))


def flow(field, x, rounds):
    def step(n, state):
        x, field = state
        x = x + 0.1 * field(x)
        return x

    return nnx.fori_loop(0, rounds, step, (x, field))[0]


print(flow(Field(rngs=nnx.Rngs(0)), jnp.ones(2), 3))
