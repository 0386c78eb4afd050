# expects: stale-global at 12
import argparse

import jax

options = argparse.Namespace(decay=0.9, steps=3)


@jax.jit
def shrink(x):
    # The value of the first call is kept.
    return options.decay * x


x = 1.0
for _ in range(options.steps):
    x = shrink(x)
    options.decay -= 0.1
print(x)
