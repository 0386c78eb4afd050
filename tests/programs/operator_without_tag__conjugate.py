# expects: operator-without-tag at 13
# needs: lineax
import jax.numpy as jnp
import lineax as lx


def laplacian(u):
    return 2.1 * u - jnp.roll(u, 1) - jnp.roll(u, -1)


def poisson(charge):
    like = jnp.zeros_like(charge)
    operator = lx.FunctionLinearOperator(laplacian, like)
    return lx.linear_solve(operator, charge, lx.CG(rtol=1e-5, atol=1e-5)).value


print(poisson(jnp.array([1.0, 0.0, -1.0, 0.0])))
