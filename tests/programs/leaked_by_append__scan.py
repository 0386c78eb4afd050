# expects: leaked-by-append at 11
import jax
import jax.numpy as jnp


log = []


def step(c, x):
    c = c + x
    log.append(c)
    return c, x


jax.lax.scan(step, 0.0, jnp.arange(3.0))
total = sum(log)
