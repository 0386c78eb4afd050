# expects: tuple-in-arithmetic at 7
import jax
import jax.numpy as jnp


def centre(points):
    return points - jnp.sum(points, axis=0) / points.shape


jax.jit(centre)(jnp.ones((4, 2)))
