# expects: wrong-arity at 6
import jax.numpy as jnp


def batch_of_one(image):
    return jnp.expand_dims(image, 0, -1)


batch_of_one(jnp.ones((2, 2)))
