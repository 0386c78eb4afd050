# expects: iterator-as-array at 8
import jax
import jax.numpy as jnp


@jax.jit
def outer(a, b):
    return (jnp.outer(x, y) for x, y in zip(a, b, strict=True))


outer(jnp.ones((3, 2)), jnp.ones((3, 4)))
