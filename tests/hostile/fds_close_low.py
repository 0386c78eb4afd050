# expects: passed: checks pass
# It closes the first descriptors, its standard streams among them.
# not in repl: without its streams the prompt has nothing to show
import os

import jax.numpy as jnp

os.closerange(0, 3)


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
