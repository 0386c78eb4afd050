# expects: operator-without-tag at 14
# needs: lineax
import jax
import jax.numpy as jnp
import lineax as lx


class Ridge:
    def __init__(self, strength):
        self.strength = strength

    def fit(self, x, y):
        gram = x.T @ x + self.strength * jnp.eye(x.shape[1])
        operator = lx.MatrixLinearOperator(gram)
        self.weights = lx.linear_solve(operator, x.T @ y, solver=lx.Cholesky()).value
        return self


x = jax.random.normal(jax.random.key(0), (10, 3))
print(Ridge(0.1).fit(x, x @ jnp.array([1.0, 2.0, 3.0])).weights)
