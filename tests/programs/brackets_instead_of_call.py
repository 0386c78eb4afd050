# expects: brackets-instead-of-call at 10
import jax
import jax.numpy as jnp


@jax.jit
def running_total(values):
    total = jnp.zeros_like(values)
    for i in range(3):
        total = total.at[i].set[values[: i + 1].sum()]
    return total


running_total(jnp.arange(3.0))
