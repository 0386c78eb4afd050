# expects: singular-linear-system at 18
# needs: lineax
import jax.numpy as jnp
import lineax as lx

BARS = ((0, 1), (1, 2))


def stiffness(count):
    matrix = jnp.zeros((count, count))
    for i, j in BARS:
        bar = jnp.array([[1.0, -1.0], [-1.0, 1.0]])
        matrix = matrix.at[jnp.ix_(jnp.array([i, j]), jnp.array([i, j]))].add(bar)
    return matrix


def displacements(loads):
    return lx.linear_solve(lx.MatrixLinearOperator(stiffness(len(loads))), loads).value


print(displacements(jnp.array([0.0, 1.0, -1.0])))
