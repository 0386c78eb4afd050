# expects: convolution-axes-missing at 8
import jax.numpy as jnp
from jax import lax


def smooth(signals, width):
    window = jnp.ones(width) / width
    return lax.conv_general_dilated(signals, window, (1,), "VALID")


print(smooth(jnp.arange(12.0).reshape(2, 6), 3))
