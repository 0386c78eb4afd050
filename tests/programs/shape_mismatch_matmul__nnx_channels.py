# expects: shape-mismatch-matmul at 14
# needs: flax
import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx


class Stem(nnx.Module):
    def __init__(self, rngs):
        self.conv = nnx.Conv(3, 6, kernel_size=(3, 3), rngs=rngs)

    def __call__(self, images):
        return nnx.relu(self.conv(images)).mean(axis=(1, 2))


stem = Stem(nnx.Rngs(0))


def energy(stem, batch):
    return jnp.sum(stem(batch["images"]) ** 2)


batch = {"images": np.ones((2, 3, 8, 8), np.float32)}
print(nnx.jit(energy)(stem, batch))
