# expects: iterator-as-array at 6
import jax.numpy as jnp


def standardize(table):
    return jnp.stack((c - c.mean()) / c.std() for c in table.T).T


standardize(jnp.array([[1.0, 5.0], [3.0, 9.0]]))
