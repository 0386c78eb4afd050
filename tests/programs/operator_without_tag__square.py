# expects: operator-without-tag at 11
# needs: lineax
import jax
import jax.numpy as jnp
import lineax as lx


@jax.jit
def trend(t, y):
    design = jnp.stack([jnp.ones_like(t), t], axis=1)
    return lx.linear_solve(lx.MatrixLinearOperator(design), y).value


t = jnp.linspace(0.0, 1.0, 5)
print(trend(t, 3.0 * t + 1.0))
