# expects: integer-overflow at 8
import jax
import jax.numpy as jnp


@jax.jit
def product(a, b):
    return jnp.dot(a, b)


a = jnp.full((2, 9), 100, jnp.int8)
print(product(a, a.T).shape)
