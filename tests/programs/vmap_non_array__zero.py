# expects: vmap-non-array at 10
import jax
import jax.numpy as jnp


def f(x, s):
    return x * s


g = jax.vmap(f)
g(jnp.ones(3), jnp.array(2.0))
