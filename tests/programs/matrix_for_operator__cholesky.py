# expects: matrix-for-operator at 10
# needs: lineax
import jax.numpy as jnp
import lineax as lx


def weights(design, targets, ridge):
    gram = design.T @ design + ridge * jnp.eye(design.shape[1])
    solver = lx.Cholesky()
    return lx.linear_solve(gram, design.T @ targets, solver).value


print(weights(jnp.arange(6.0).reshape(3, 2), jnp.ones(3), 0.1))
