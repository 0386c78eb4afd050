# expects: carry-unfit-for-cell at 21
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Counter(nnx.Module):
    def __init__(self, rngs):
        self.cell = nnx.LSTMCell(3, 6, rngs=rngs)
        self.out = nnx.Linear(6, 1, rngs=rngs)

    def start(self, x, rngs):
        return self.cell.initialize_carry(x.shape, rngs)


def run(model, xs):
    carry = model.start(xs[0], nnx.Rngs(1))
    outputs = []
    for x in xs:
        carry, y = model.cell(x, carry)
        outputs.append(model.out(y))
    return jnp.stack(outputs)


print(run(Counter(nnx.Rngs(0)), jax.random.normal(jax.random.key(2), (4, 5, 3))).shape)
