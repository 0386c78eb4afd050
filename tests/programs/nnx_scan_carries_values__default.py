# expects: nnx-scan-carries-values at 15
# needs: flax
import jax.numpy as jnp
from flax import nnx


class Cell(nnx.Module):
    def __init__(self, rngs):
        self.mix = nnx.Linear(6, 3, rngs=rngs)

    def __call__(self, carry, x):
        new = nnx.tanh(self.mix(jnp.concatenate([carry, x])))
        return new, new

@nnx.scan
def run(cell, carry, x):
    return cell(carry, x)

cell = Cell(nnx.Rngs(0))
print(run(cell, jnp.zeros(3), jnp.ones((5, 3)))[0].shape)
