# expects: python-math-on-tracer at 11
"""Switches among functions that use math, number by number."""

import math

import jax.numpy as jnp
from jax import lax


def of_each(function):
    return lambda x: jnp.array([function(v) for v in x])


FUNCTIONS = [of_each(math.sin), of_each(math.cos), of_each(math.tanh)]


def apply_kth(i, x):
    return lax.switch(i, FUNCTIONS, x)
