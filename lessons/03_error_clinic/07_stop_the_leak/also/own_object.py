"""An object that is created in the call, filled, and returned from."""

import jax.numpy as jnp


class Recorder:
    def __init__(self):
        self.seen = []

    def keep(self, value):
        self.seen.append(value)
        return value


def forward(params, x):
    recorder = Recorder()
    for w in params:
        x = recorder.keep(jnp.maximum(x @ w, 0))
    return x, recorder.seen
