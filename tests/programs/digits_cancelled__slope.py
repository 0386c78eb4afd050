# expects: digits-cancelled at 6
import jax.numpy as jnp


def slope(f, x, h=1e-6):
    return (f(x + h) - f(x)) / h


print(slope(jnp.sin, jnp.float32(1.0)), jnp.cos(1.0))
