# expects: compiled-for-other-types at 11
import jax
import jax.numpy as jnp


def smooth(x, width):
    return jnp.convolve(x, jnp.ones(width) / width, mode="same")


compiled = jax.jit(smooth, static_argnames="width").lower(jnp.ones(8), width=3).compile()
print(compiled(jnp.arange(8.0), width=3))
