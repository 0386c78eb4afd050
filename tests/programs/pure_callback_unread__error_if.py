# expects: pure-callback-unread at 9
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


def root(x):
    checked = eqx.error_if(x, jnp.any(x < 0), "x is negative")
    return jnp.sqrt(jnp.abs(x))


print(jax.jit(root)(jnp.array([4.0, -9.0])))
