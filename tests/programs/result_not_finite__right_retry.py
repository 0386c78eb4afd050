# expects: nothing
import jax.numpy as jnp


def factor(covariance):
    for jitter in (0.0, 1e-4, 1e-2):
        root = jnp.linalg.cholesky(covariance + jitter * jnp.eye(3))
        if not jnp.isnan(root).any():
            return root
    raise ValueError("the matrix is not positive definite")


print(factor(jnp.ones((3, 3)) - 1e-3 * jnp.eye(3)))
