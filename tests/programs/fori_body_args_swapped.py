# expects: fori-body-args-swapped at 6
import jax
import jax.numpy as jnp


def body(c, i):
    return c.at[i].add(1.0)


jax.lax.fori_loop(0, 5, body, jnp.zeros(3))
