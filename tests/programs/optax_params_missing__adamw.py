# expects: optax-params-missing at 12
# needs: optax
import jax
import jax.numpy as jnp
import optax


params = {"w": jnp.ones(3)}
tx = optax.adamw(1e-2)
state = tx.init(params)
grads = jax.grad(lambda p: (p["w"] ** 2).sum())(params)
updates, state = tx.update(grads, state)
