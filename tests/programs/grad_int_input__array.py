# expects: grad-int-input at 5
import jax
import jax.numpy as jnp

coefficients = jnp.array([1, 0, 2])
points = jnp.linspace(0.0, 1.0, 9)


def misfit(coefficients, points):
    return jnp.mean((jnp.polyval(coefficients, points) - jnp.sin(points)) ** 2)


for _ in range(20):
    slope = jax.grad(misfit)(coefficients, points)
    coefficients = coefficients - 0.3 * slope
print(misfit(coefficients, points))
