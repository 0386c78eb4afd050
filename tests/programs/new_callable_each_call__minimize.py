# expects: new-callable-each-call at 18
import jax
import jax.numpy as jnp
from jax.scipy.optimize import minimize


def valley(x):
    """Return the height of a long valley."""
    return (1.0 - x[0]) ** 2 + 5.0 * (x[1] - x[0] ** 2) ** 2


def lowest(starts):
    """Return the lowest point that is found from several starts."""
    found = []
    for start in starts:
        # Each call makes the functions of its loops again.
        found.append(
            minimize(valley, start, method="BFGS", options={"maxiter": 8})
        )
    heights = jnp.stack([result.fun for result in found])
    return found[int(heights.argmin())].x


starts = jax.random.normal(jax.random.key(0), (5, 2))
print(lowest(starts).shape)
