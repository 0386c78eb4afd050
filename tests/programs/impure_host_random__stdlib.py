# expects: impure-host-random at 9
import jax


import random


def f(x):
    return x * random.random()


g = jax.jit(f)
g(1.0)
