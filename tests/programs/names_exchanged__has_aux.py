# expects: names-exchanged at 11
import jax
import jax.numpy as jnp


def objective(weights, x, y):
    residual = jnp.mean(x @ weights - y)
    return jnp.mean((x @ weights - y) ** 2), residual


(residual, value), gradient = jax.value_and_grad(objective, has_aux=True)(
    jnp.array([1.0, 3.0]), jnp.eye(2), jnp.zeros(2)
)
print(residual, value, gradient)
