# expects: function-instead-of-value at 10
import jax
import jax.numpy as jnp


def trapezoid(f, a, b):
    return 0.5 * (b - a) * (f(a) + f(b))


print(jax.vmap(trapezoid)(jnp.sin, jnp.zeros(3), jnp.arange(3.0)))
