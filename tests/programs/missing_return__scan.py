# expects: missing-return
import jax
import jax.numpy as jnp


def step(c, x):
    c = c + x
    (c, x)


def f(xs):
    return jax.lax.scan(step, 0.0, xs)


f(jnp.arange(3.0))
