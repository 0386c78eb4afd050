# expects: nnx-foreign-trace at 22
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Counter(nnx.Module):
    def __init__(self):
        self.calls = nnx.Variable(jnp.array(0))

    def __call__(self, x):
        self.calls[...] += 1
        return x * 2


counter = Counter()


@jax.jit
def f(x):
    return counter(x)


print(f(jnp.ones(3)))
