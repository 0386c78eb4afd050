# expects: scan-carry-dtype-change at 12
import jax
import jax.numpy as jnp


def step(carry, x):
    total, n = carry
    return (total + x, n + 1.0), total


def f(xs):
    init = (jnp.zeros(()), jnp.int32(0))
    return jax.lax.scan(step, init, xs)


f(jnp.ones(3))
