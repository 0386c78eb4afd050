# expects: names-exchanged at 11
import jax
import jax.numpy as jnp


def objective(weights, x, y):
    residual = (x @ weights - y).mean()
    return residual**2, residual


(residual, value), gradient = jax.value_and_grad(objective, has_aux=True)(
    jnp.ones(2), jnp.eye(2), jnp.zeros(2)
)
print(residual, value, gradient)
