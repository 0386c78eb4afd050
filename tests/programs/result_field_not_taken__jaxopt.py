# expects: result-field-not-taken at 12
# needs: jaxopt
import jax.numpy as jnp
import jaxopt


def loss(w, x, y):
    return jnp.mean((x @ w - y) ** 2)


def fit(x, y):
    weights = jaxopt.GradientDescent(fun=loss, maxiter=5).run(jnp.zeros(2), x=x, y=y)
    return x @ weights


print(fit(jnp.eye(2), jnp.ones(2)))
