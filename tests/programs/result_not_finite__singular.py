# expects: result-not-finite at 7
import jax.numpy as jnp


def weights(columns, targets):
    gram = columns.T @ columns
    return jnp.linalg.solve(gram, columns.T @ targets)


length = jnp.array([1.0, 2.0, 4.0, 8.0])
columns = jnp.stack([length, 2 * length, jnp.ones(4)], axis=1)
print(weights(columns, jnp.array([1.0, 3.0, 5.0, 9.0])))
