# expects: passed: checks pass
# It closes its standard streams.
import sys

import jax.numpy as jnp

sys.stdout.close()
sys.stderr.close()


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
