# expects: initializer-needs-two-axes at 10
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Scale(nnx.Module):
    def __init__(self, size, init=nnx.initializers.he_normal(), *, rngs):
        self.scale = nnx.Param(init(rngs.params(), (size,)))

    def __call__(self, x):
        return x * self.scale


print(Scale(3, rngs=nnx.Rngs(0))(jnp.ones(3)))
