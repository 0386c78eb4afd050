# expects: grad-aux-not-declared at 13
# needs: jaxopt
import jax.numpy as jnp
import jaxopt


def objective(weights):
    error = weights - jnp.array([1.0, 2.0])
    loss = jnp.sum(error**2)
    return loss, {"largest": jnp.max(jnp.abs(error))}


solver = jaxopt.LBFGS(fun=objective, maxiter=10)
fitted, state = solver.run(jnp.zeros(2))
print(fitted)
