# expects: attribute-typo at 6
import jax.numpy as jnp


x = jnp.ones(3)
print(x.detach())
