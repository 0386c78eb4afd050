# expects: transform-not-curried at 6
import jax
import jax.numpy as jnp

x = jnp.arange(3.0)
jax.vjp(jnp.sin)(x)
