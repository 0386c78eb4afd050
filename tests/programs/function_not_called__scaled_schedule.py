# expects: function-not-called at 16
# needs: optax
import jax.numpy as jnp
import optax


def rates(peak, steps):
    up = optax.linear_schedule(0.0, peak, steps // 4)
    down = optax.cosine_decay_schedule(peak, steps)
    return optax.join_schedules([up, down], [steps // 4])


rate = rates(0.1, 100)
tx = optax.chain(
    optax.trace(0.9),
    optax.scale_by_schedule(-0.5 * rate),
)
memory = tx.init(jnp.ones(2))
print(tx.update(jnp.ones(2), memory)[0])
