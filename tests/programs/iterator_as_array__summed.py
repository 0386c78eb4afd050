# expects: iterator-as-array at 6
import jax.numpy as jnp


def energy(bodies):
    return jnp.sum(jnp.dot(b, b) for b in bodies)


energy(jnp.ones((5, 2)))
