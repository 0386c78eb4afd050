# expects: schedule-counts-updates at 11
# needs: optax
import jax
import jax.numpy as jnp
import optax


def make_optimizer(peak, steps):
    warmup = optax.linear_schedule(peak / 10, peak, transition_steps=steps // 10)
    rate = optax.join_schedules([warmup, optax.cosine_decay_schedule(peak, steps)], [steps // 10])
    return optax.sgd(momentum=0.9, learning_rate=rate(1))


tx = make_optimizer(0.1, 20)
w = jnp.ones(2)
state = tx.init(w)
for _ in range(20):
    updates, state = tx.update(jax.grad(lambda w: jnp.sum(w**2))(w), state)
    w = optax.apply_updates(w, updates)
print(w)
