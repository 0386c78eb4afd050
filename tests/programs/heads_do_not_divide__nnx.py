# expects: heads-do-not-divide at 9
# needs: flax
import jax.numpy as jnp
from flax import nnx


class Mixer(nnx.Module):
    def __init__(self, width, heads, rngs):
        self.attend = nnx.MultiHeadAttention(heads, width, decode=False, rngs=rngs)

    def __call__(self, x):
        return x + self.attend(x)


mixer = Mixer(20, 3, nnx.Rngs(0))
print(mixer(jnp.ones((2, 4, 20))).shape)
