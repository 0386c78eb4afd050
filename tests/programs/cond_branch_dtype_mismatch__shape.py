# expects: cond-branch-dtype-mismatch
import jax
import jax.numpy as jnp


def a(v):
    return v.sum()


def b(v):
    return v


jax.lax.cond(True, a, b, jnp.ones(3))
