# expects: passed: checks pass
# Its standard streams are objects that raise whatever is done with them.
import sys

import jax.numpy as jnp


class Bad:
    def __getattr__(self, name):
        raise SystemError(name)


sys.stdout = sys.stderr = Bad()


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
