# expects: wrong-arity at 7
# needs: jaxopt
import jax.numpy as jnp
import jaxopt


def ridge(weights, design, targets, penalty):
    error = design @ weights - targets
    return jnp.mean(error**2) + penalty * jnp.sum(weights**2)


def fit(design, targets, penalty=0.1):
    solver = jaxopt.GradientDescent(ridge, maxiter=20)
    return solver.run(jnp.zeros(design.shape[1]), design, targets).params


print(fit(jnp.eye(3), jnp.ones(3)))
