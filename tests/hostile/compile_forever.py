# expects: timed_out|raised|crashed: 
# It unrolls a loop into more equations than can be compiled.
import jax
import jax.numpy as jnp


def safe_clip_positive(x):
    for _ in range(10**6):
        x = jnp.sin(x) + x
    return x


if __name__ == "__main__":
    jax.jit(safe_clip_positive)(jnp.ones(3))
