# expects: rngs-without-stream at 19
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Sampler(nnx.Module):
    def __init__(self, size, *, rngs):
        self.mean = nnx.Linear(size, size, rngs=rngs)
        self.rngs = rngs

    def __call__(self, x):
        mean = self.mean(x)
        return mean + jax.random.normal(self.rngs.sample(), mean.shape)


def build():
    return Sampler(3, rngs=nnx.Rngs(params=7))


print(nnx.jit(lambda net, x: net(x))(build(), jnp.ones((2, 3))).shape)
