# expects: impure-host-random at 10
import jax


import time


@jax.jit
def stamp(x):
    return x + time.time()


stamp(1.0)
