# expects: traced-early-return at 9
import jax
import jax.numpy as jnp


@jax.jit
def first_above(xs, level):
    for i in range(xs.shape[0]):
        if xs[i] > level:
            return i
    return -1


first_above(jnp.arange(5.0), 2.0)
