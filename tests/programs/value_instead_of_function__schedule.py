# expects: value-instead-of-function at 9
# needs: optax
import jax
import jax.numpy as jnp
import optax


def optimizer(peak):
    decay = optax.join_schedules([1e-4, optax.cosine_decay_schedule(peak, 100)], [10])
    return optax.chain(optax.scale_by_adam(), optax.scale_by_schedule(decay), optax.scale(-1.0))


params = jnp.ones(3)
tx = optimizer(1e-2)
state = tx.init(params)
updates, state = tx.update(jax.grad(lambda p: jnp.sum(p**2))(params), state)
print(updates)
