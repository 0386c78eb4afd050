# expects: step-with-wrong-sign at 12
# needs: optax
import jax
import jax.numpy as jnp
import optax


def pump_loss(params, flow):
    return jnp.mean((params["gain"] * flow - 2.0) ** 2)


optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.scale_by_adam(), optax.scale(1e-2))
params = {"gain": jnp.array(1.0)}
state = optimizer.init(params)
for _ in range(20):
    grads = jax.grad(pump_loss)(params, jnp.arange(4.0))
    updates, state = optimizer.update(grads, state)
    params = optax.apply_updates(params, updates)
print(params)
