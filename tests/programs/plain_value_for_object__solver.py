# expects: plain-value-for-object at 12
# needs: optimistix
import jax.numpy as jnp
import optimistix


def rosenbrock(point, args):
    x, y = point
    return (1 - x) ** 2 + 100 * (y - x**2) ** 2


found = optimistix.minimise(rosenbrock, "bfgs", jnp.zeros(2))
print(found.value)
