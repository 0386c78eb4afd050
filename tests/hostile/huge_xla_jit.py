# expects: crashed|raised: memory
# Its compiled function needs an intermediate of terabytes.
# or: timed_out: still running after
import jax
import jax.numpy as jnp


def safe_clip_positive(x):
    y = jnp.cumsum(jnp.ones((10**6, 10**6)) * x.sum(), axis=0)
    return jnp.where(x < 0, y.sum(), x)


if __name__ == "__main__":
    print(jax.jit(safe_clip_positive)(jnp.ones(3)))
