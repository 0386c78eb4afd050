# expects: average-weights-swapped at 16
# needs: optax
import jax
import jax.numpy as jnp
import optax

tx = optax.sgd(0.1)
x = jnp.arange(6.0).reshape(3, 2) / 6


@jax.jit
def step(params, ema_params, state):
    grads = jax.grad(lambda p: jnp.sum((x @ p - 1.0) ** 2))(params)
    updates, state = tx.update(grads, state)
    params = optax.apply_updates(params, updates)
    ema_params = optax.incremental_update(ema_params, params, step_size=0.01)
    return params, ema_params, state


params = jnp.zeros(2)
ema_params, state = params, tx.init(params)
for _ in range(5):
    params, ema_params, state = step(params, ema_params, state)
print(ema_params)
