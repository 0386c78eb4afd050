# expects: arguments-to-transformation at 6
import jax
import jax.numpy as jnp

x = jnp.arange(3.0)
jax.grad(jnp.sum, x)
