# expects: unpack-count-mismatch at 6
import jax.numpy as jnp


def attend(tokens):
    length, width = tokens.shape
    scores = tokens @ tokens.T / jnp.sqrt(width)
    return jnp.where(jnp.tri(length, dtype=bool), scores, -jnp.inf)


print(attend(jnp.ones((4, 6, 8))))
