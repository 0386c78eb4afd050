# expects: integer-overflow at 8
import jax
import jax.numpy as jnp


@jax.jit
def total(pixels):
    return pixels + pixels


total(jnp.array([200, 10], jnp.uint8))
