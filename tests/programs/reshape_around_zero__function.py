# expects: reshape-around-zero at 7
import jax.numpy as jnp


def rows(x, width):
    count = len(x) // width
    return jnp.reshape(x[: count * width], (count, -1))


print(rows(jnp.ones(3), 4))
