# expects: missing-static-size at 8
import jax
import jax.numpy as jnp
from jax.experimental import sparse

@jax.jit
def degree(adjacency):
    matrix = sparse.BCOO.fromdense(adjacency)
    return matrix @ jnp.ones(adjacency.shape[1])


print(degree(jnp.eye(3)))
