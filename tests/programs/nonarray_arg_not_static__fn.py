# expects: nonarray-arg-not-static at 6
import jax
import jax.numpy as jnp


@jax.jit
def apply(fn, x):
    return fn(x)


apply(jnp.sin, 1.0)
