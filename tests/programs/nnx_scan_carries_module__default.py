# expects: nnx-scan-carries-module at 24
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Gate(nnx.Module):
    def __init__(self, width, rngs):
        self.inner = nnx.Linear(width, width, rngs=rngs)

    def __call__(self, x):
        return x * nnx.sigmoid(self.inner(x))


class Tower(nnx.Module):
    def __init__(self, width, depth, rngs):
        make = nnx.vmap(lambda key: Gate(width, nnx.Rngs(key)), in_axes=0, out_axes=0)
        self.gates = make(jax.random.split(rngs.params(), depth))


@nnx.jit
def apply(tower, x):
    @nnx.scan()
    def through(gate, x):
        return gate(x), None

    return through(tower.gates, x)[0]


print(apply(Tower(6, 4, nnx.Rngs(0)), jnp.ones((2, 6))).shape)
