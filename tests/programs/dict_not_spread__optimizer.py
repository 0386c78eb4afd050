# expects: dict-not-spread at 8
# needs: optax
import jax
import jax.numpy as jnp
import optax

schedule = {"init_value": 0.1, "transition_steps": 10, "decay_rate": 0.5}
rate = optax.exponential_decay(schedule)
params = jnp.ones(2)
optimizer = optax.sgd(rate)
state = optimizer.init(params)
updates, state = optimizer.update(jax.grad(lambda p: (p**2).sum())(params), state)
print(optax.apply_updates(params, updates))
