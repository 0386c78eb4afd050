# expects: scan-over-python-list at 11
import jax
import jax.numpy as jnp


def add(total, x):
    return total + x, total


def running(xs):
    return jax.lax.scan(add, 0.0, list(xs))[1]


running(jnp.arange(4.0))
