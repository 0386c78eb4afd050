# expects: missing-static-size at 10
import jax
import jax.numpy as jnp
import numpy as np

GROUPS = np.array([0, 2, 1, 2, 0, 1, 2])


def offsets(weights):
    count = jnp.unique(GROUPS).size
    return weights[:count] - weights[:count].mean()


@jax.jit
def loss(weights, y):
    return jnp.mean((offsets(weights)[GROUPS] - y) ** 2)


print(loss(jnp.arange(4.0), jnp.ones(7)))
