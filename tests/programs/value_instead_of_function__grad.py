# expects: value-instead-of-function at 6
import jax
import jax.numpy as jnp

x = jnp.arange(3.0)
jax.grad(jnp.sum(x))(x)
