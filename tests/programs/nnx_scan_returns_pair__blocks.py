# expects: nnx-scan-returns-pair at 19
# needs: flax
import jax.numpy as jnp
from flax import nnx


class Layers(nnx.Module):
    def __init__(self, rngs):
        @nnx.split_rngs(splits=3)
        @nnx.vmap
        def make(rngs):
            return nnx.Linear(2, 2, rngs=rngs)

        self.layers = make(rngs)

    def __call__(self, x):
        def through(x, layer):
            x = nnx.tanh(layer(x))
            return x, None

        return nnx.scan(through, in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)(x, self.layers)


print(Layers(nnx.Rngs(0))(jnp.ones((1, 2))).shape)
