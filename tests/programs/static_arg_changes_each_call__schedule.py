# expects: static-arg-changes-each-call at 11
from functools import partial

import jax


def rate(step):
    return 0.1 if step < 100 else 0.01


@partial(jax.jit, static_argnames="step")
def train(w, step):
    return w - rate(step) * w


w = 1.0
for step in range(8):
    w = train(w, step=step)
