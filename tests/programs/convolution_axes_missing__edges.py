# expects: convolution-axes-missing at 10
import jax
import jax.numpy as jnp
from jax import lax

SOBEL = jnp.array([[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]])


def gradient(image):
    across = lax.conv(image, SOBEL, (1, 1), "SAME")
    down = lax.conv(image, SOBEL.T, (1, 1), "SAME")
    return jnp.hypot(across, down)


print(jax.jit(gradient)(jnp.eye(6)).sum())
