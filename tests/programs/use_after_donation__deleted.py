# expects: use-after-donation at 7
import jax.numpy as jnp

weights = jnp.ones(3)
new = weights - 0.5
weights.delete()
print(jnp.sum(new - weights))
