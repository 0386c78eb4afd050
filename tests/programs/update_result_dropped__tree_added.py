# expects: update-result-dropped at 10
# needs: optax
import jax
import jax.numpy as jnp
import optax

params = {"w": jnp.arange(3.0)}
for _ in range(3):
    grads = jax.grad(lambda p: jnp.sum(p["w"] ** 2))(params)
    optax.tree.add_scale(params, -0.1, grads)
print(params)
