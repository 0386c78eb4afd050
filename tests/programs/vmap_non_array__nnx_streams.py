# expects: vmap-non-array at 18
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Block(nnx.Module):
    def __init__(self, rngs):
        self.linear = nnx.Linear(8, 8, rngs=rngs)

    def __call__(self, x):
        return nnx.relu(self.linear(x))


class Stack(nnx.Module):
    def __init__(self, depth, rngs):
        @nnx.vmap(in_axes=0, out_axes=0, axis_size=depth)
        def make(rngs):
            return Block(rngs)

        self.blocks = make(rngs)

    def __call__(self, x):
        @nnx.scan(in_axes=(0, nnx.Carry), out_axes=nnx.Carry)
        def run(block, x):
            return block(x)

        return run(self.blocks, x)


model = Stack(3, nnx.Rngs(0))
print(model(jnp.ones((2, 8))).shape)
