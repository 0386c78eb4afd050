# expects: check values
# says: Your answer multiplies the sum of each row of the Hessian by `v`. Summing the gradient
#     first mixes the columns up before `v` can weight them.
"""Takes the gradient of the summed gradient, and multiplies afterwards."""

import jax
import jax.numpy as jnp


def hvp(f, x, v):
    summed = jax.grad(lambda x: sum(map(jnp.sum, jax.tree.leaves(jax.grad(f)(x)))))(x)
    return jax.tree.map(jnp.multiply, summed, v)
