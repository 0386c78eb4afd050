# expects: traced-slice-bounds at 7
import jax
import jax.numpy as jnp


def write(buf, i, v):
    buf = buf.at[i : i + 2].set(v)
    return buf


jax.jit(write)(jnp.zeros(6), 1, 3.0)
