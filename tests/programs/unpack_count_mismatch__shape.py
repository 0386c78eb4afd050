# expects: unpack-count-mismatch at 9
import jax
import jax.numpy as jnp


class Patches:
    @jax.jit
    def embed(images):
        batch, height, width, channels = images.shape
        patches = images.reshape(batch, height // 4, 4, width // 4, 4, channels)
        return patches.transpose(0, 1, 3, 2, 4, 5).reshape(batch, -1, 16 * channels)


print(Patches.embed(jnp.ones((8, 8, 3))).shape)
