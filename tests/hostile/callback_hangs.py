# expects: timed_out: still running after
# Compiled code of it calls back into Python, which never answers.
import time

import jax
import jax.numpy as jnp


def wait(x):
    time.sleep(10**6)
    return x


def safe_clip_positive(x):
    return jax.pure_callback(wait, jax.ShapeDtypeStruct(x.shape, x.dtype), x)


if __name__ == "__main__":
    print(jax.jit(safe_clip_positive)(jnp.ones(3)))
