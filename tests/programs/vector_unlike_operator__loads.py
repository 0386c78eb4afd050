# expects: vector-unlike-operator at 20
# needs: lineax
import jax.numpy as jnp
import lineax as lx


class Beam:
    def __init__(self, nodes, modulus):
        h = 1.0 / (nodes + 1)
        diagonal = jnp.full(nodes, 2.0 * modulus / h**2)
        offset = jnp.full(nodes - 1, -modulus / h**2)
        self.matrix = jnp.diag(diagonal) + jnp.diag(offset, 1) + jnp.diag(offset, -1)

    @property
    def operator(self):
        return lx.MatrixLinearOperator(self.matrix, lx.positive_semidefinite_tag)

    def displacements(self, loads):
        solver = lx.Cholesky()
        return lx.linear_solve(self.operator, loads, solver=solver).value


beam = Beam(6, 2.0)
loads = jnp.stack([jnp.ones(6), jnp.arange(6.0), jnp.eye(6)[2]], axis=1)
print(beam.displacements(loads).max(axis=0))
