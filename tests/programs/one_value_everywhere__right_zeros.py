# expects: nothing
"""Residuals that are zero, a layer that begins with zeros, and a straight-through estimator."""

import jax
import jax.numpy as jnp

x = jax.random.normal(jax.random.key(0), (32, 4))
restored = jnp.reshape(jnp.reshape(x, (4, 32)), (32, 4))
print("largest error", jnp.abs(restored - x).max(), (restored - x).sum())


@jax.jit
def adapted(adapter, x):
    down, up = adapter
    rounded = x + jax.lax.stop_gradient(jnp.round(x * 4) / 4 - x)
    magic = jnp.exp(x - jax.lax.stop_gradient(x))
    return magic * rounded + 0.0 * x + (x @ down) @ up


print(adapted((jnp.ones((4, 2)), jnp.zeros((2, 4))), x))
