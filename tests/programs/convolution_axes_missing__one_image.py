# expects: convolution-axes-missing at 8
import jax
import jax.numpy as jnp
from jax import lax


def features(params, image):
    maps = lax.conv(image, params["filters"], (2, 2), "SAME")
    return jax.nn.relu(maps).mean()


params = {"filters": jnp.ones((4, 3, 3, 3))}
print(features(params, jnp.ones((3, 8, 8))))
