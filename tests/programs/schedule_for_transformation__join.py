# expects: schedule-for-transformation at 7
# needs: optax
import jax.numpy as jnp
import optax


tx = optax.sgd(optax.join_schedules([optax.adam(1e-2), optax.sgd(1e-3)], [10]))
state = tx.init(jnp.zeros(3))
print(tx.update(jnp.ones(3), state))
