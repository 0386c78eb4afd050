# expects: masked-assignment at 6
import jax.numpy as jnp


def relu(x):
    x[x < 0] = 0
    return x


relu(jnp.array([-1.0, 2.0]))
