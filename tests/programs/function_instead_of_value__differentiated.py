# expects: function-instead-of-value at 10
import jax
import jax.numpy as jnp


def slope(f, x):
    return f(x + 0.5) - f(x - 0.5)


print(jax.grad(slope)(jnp.square, 2.0))
