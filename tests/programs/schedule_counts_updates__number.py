# expects: schedule-counts-updates at 7
# needs: optax
import jax.numpy as jnp
import optax

decay = optax.exponential_decay(0.5, transition_steps=10, decay_rate=0.5)
tx = optax.chain(optax.clip(1.0), optax.adam(decay(0)))
w = jnp.ones(2)
state = tx.init(w)
for _ in range(3):
    updates, state = tx.update(2 * w, state)
    w = optax.apply_updates(w, updates)
print(w)
