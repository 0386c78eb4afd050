# expects: grad-nonscalar at 6
import jax
import jax.numpy as jnp


g = jax.grad(lambda x: jnp.sin(x))
g(jnp.ones(3))
