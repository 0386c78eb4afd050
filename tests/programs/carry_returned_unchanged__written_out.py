# expects: carry-returned-unchanged at 7
import jax
import jax.numpy as jnp


def running(total, x):
    return total, total + x


_, totals = jax.lax.scan(running, 0.0, jnp.arange(4.0))
print(totals)
