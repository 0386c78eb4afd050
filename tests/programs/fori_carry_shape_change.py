# expects: fori-carry-shape-change at 10
import jax
import jax.numpy as jnp


def body(i, s):
    return s + jnp.arange(3.0) * i


r = jax.lax.fori_loop(0, 5, body, 0.0)
