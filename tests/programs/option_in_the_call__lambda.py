# expects: option-in-the-call at 6
import jax
import jax.numpy as jnp

x = jnp.arange(3.0)
jax.vmap(lambda a, b: a * b)(1.0, x, in_axes=(None, 0))
