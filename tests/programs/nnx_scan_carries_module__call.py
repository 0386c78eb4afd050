# expects: nnx-scan-carries-module at 25
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


@nnx.split_rngs(splits=2)
@nnx.vmap
def create(rngs):
    return nnx.Linear(4, 4, rngs=rngs)


@nnx.scan(in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)
def through(x, layer):
    return jnp.tanh(layer(x))


class Deep(nnx.Module):
    def __init__(self, rngs):
        self.layers = create(rngs)
        self.out = nnx.Linear(4, 1, rngs=rngs)

    def __call__(self, x):
        x = through(self.layers, x)
        return self.out(x)


print(Deep(nnx.Rngs(0))(jnp.ones((2, 4))).shape)
