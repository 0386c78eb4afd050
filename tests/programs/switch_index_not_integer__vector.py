# expects: switch-index-not-integer at 6
import jax.numpy as jnp
from jax import lax

x = jnp.arange(3.0)
lax.switch(jnp.arange(3), [jnp.sin, jnp.cos], x)
