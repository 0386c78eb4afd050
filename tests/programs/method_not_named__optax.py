# expects: method-not-named at 8
# needs: optax
import jax
import jax.numpy as jnp
import optax

optimizer = optax.chain(optax.clip(1.0), optax.adam(1e-2))
state = optimizer({"w": jnp.ones(3)})
print(state)
