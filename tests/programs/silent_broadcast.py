# expects: silent-broadcast at 8
import jax
import jax.numpy as jnp


@jax.jit
def mse(pred, y):
    return jnp.mean((pred - y) ** 2)


mse(jnp.ones((5, 1)), jnp.ones(5))
