# expects: float-as-size at 9
import jax
import jax.numpy as jnp


@jax.jit
def shrink(image):
    height, width = image.shape
    return jax.image.resize(image, (height / 2, width / 2), "linear")


print(shrink(jnp.ones((8, 6))).shape)
