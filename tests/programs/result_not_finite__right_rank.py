# expects: nothing
import jax.numpy as jnp


def weights(columns, targets):
    found, _, rank, _ = jnp.linalg.lstsq(columns, targets)
    return found, rank


length = jnp.array([1.0, 2.0, 4.0, 8.0])
columns = jnp.stack([length, 2 * length, jnp.ones(4)], axis=1)
gram = columns.T @ columns
print(weights(columns, jnp.array([1.0, 3.0, 5.0, 9.0])), jnp.linalg.eigh(jnp.eye(3))[0])
print(jnp.linalg.det(gram), jnp.linalg.pinv(gram))
