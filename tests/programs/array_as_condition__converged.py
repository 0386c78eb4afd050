# expects: array-as-condition at 10
import jax
import jax.numpy as jnp


def fixed_point(f, x, tolerance=1e-6):
    for _ in range(200):
        new = f(x)
        change = jnp.abs(new - x)
        if change < tolerance:
            return new
        x = new
    return x


print(fixed_point(jax.jit(jnp.cos), jnp.array([0.1, 0.7])))
