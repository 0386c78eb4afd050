# expects: crashed: exit status 4
# Compiled code of it calls back into Python, which ends the process.
import os

import jax
import jax.numpy as jnp


def safe_clip_positive(x):
    jax.debug.callback(lambda: os._exit(4))
    return jnp.where(x < 0, 0, x)


if __name__ == "__main__":
    jax.block_until_ready(jax.jit(safe_clip_positive)(jnp.ones(3)))
    jax.effects_barrier()
