# expects: timed_out: still running after
# It traces for ever: Python loops while jax traces.
import itertools

import jax
import jax.numpy as jnp


def safe_clip_positive(x):
    for i in itertools.count():
        x = x + i
    return x


if __name__ == "__main__":
    jax.jit(safe_clip_positive)(jnp.ones(3))
