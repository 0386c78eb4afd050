# expects: unhashable-static at 14
import jax
import jax.numpy as jnp


@jax.jit(static_argnums=1)
def first(sequence, length):
    return jnp.cumsum(sequence[:length])


tokens = jnp.array([5, 7, 9, 0, 0])
length = jnp.sum(tokens > 0)
verbose = jnp.any(tokens > 8)
print(first(tokens, length), verbose)
