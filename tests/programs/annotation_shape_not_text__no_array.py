# expects: annotation-shape-not-text at 8
# needs: jaxtyping
import jax
import jax.numpy as jnp
from jaxtyping import Float


def centre(points: Float["rows 3"]):
    return points - points.mean(axis=0)


print(jax.jit(centre)(jnp.eye(3)))
