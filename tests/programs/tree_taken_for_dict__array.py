# expects: tree-taken-for-dict at 5
import jax.numpy as jnp

x = jnp.arange(3.0)
[v for k, v in x.items()]
