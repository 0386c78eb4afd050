# expects: function-not-called at 9
# needs: optax
import jax
import jax.numpy as jnp
import optax

params = jnp.ones(3)
optimizer = optax.sgd(0.1, momentum=0.9)
state = optimizer.init
grads = jax.grad(lambda p: jnp.sum(p**2))(params)
updates, state = optimizer.update(grads, state)
params = optax.apply_updates(params, updates)
