# expects: numpy-call-on-tracer at 11
import jax
import jax.numpy as jnp


from numpy import cos


@jax.vmap
def f(t):
    return cos(t) * 2


f(jnp.arange(3.0))
