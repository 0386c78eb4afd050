# expects: nnx-scan-carries-values at 18
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Cell(nnx.Module):
    def __init__(self, width, rngs):
        self.mix = nnx.Linear(2 * width, width, rngs=rngs)

    def __call__(self, carry, x):
        carry = jnp.tanh(self.mix(jnp.concatenate([carry, x], axis=-1)))
        return carry, carry.sum()


def unroll(cell, start, inputs):
    @nnx.scan(in_axes=(None, 0, nnx.Carry), out_axes=(nnx.Carry, 0))
    def step(cell, carry, x):
        return cell(carry, x)

    return step(cell, start, inputs)


cell = Cell(6, nnx.Rngs(0))
sequence = jax.random.normal(jax.random.key(1), (10, 6))
final, sums = unroll(cell, jnp.zeros(6), sequence)
print(final.shape, sums.shape)
