# expects: traced-arange-bound at 8
import jax
import jax.numpy as jnp


def unpack(lengths, letters):
    total = lengths[0] + lengths[1]
    places = jnp.arange(total)
    return letters[places]


print(jax.jit(unpack)(jnp.array([2, 3]), jnp.arange(9)))
