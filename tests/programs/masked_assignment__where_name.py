# expects: masked-assignment at 9
import jax
import jax.numpy as jnp


@jax.jit
def cap(x, hi):
    too_big = x > hi
    x[too_big] = hi
    return x


cap(jnp.arange(3.0), 1.0)
