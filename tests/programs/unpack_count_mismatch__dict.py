# expects: unpack-count-mismatch at 9
import jax
import jax.numpy as jnp

params = {"kernel": jnp.ones((3, 2)), "bias": jnp.zeros(2)}
grads = jax.tree.map(jnp.ones_like, params)


norms = {name: jnp.linalg.norm(g) for name, g in grads}
print(norms)
