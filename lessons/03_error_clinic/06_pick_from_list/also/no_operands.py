"""Branches that take no arguments and use x from outside."""

import jax.numpy as jnp
from jax import lax


def apply_kth(i, x):
    return lax.switch(i, [lambda: jnp.sin(x), lambda: jnp.cos(x), lambda: jnp.tanh(x)])
