# expects: schedule-counts-updates at 14
# needs: optax
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import optax

cfg = SimpleNamespace(num_epochs=3, rate=0.1)
optimizer = optax.adam(
    optax.warmup_cosine_decay_schedule(
        0.0,
        cfg.rate,
        warmup_steps=1, decay_steps=cfg.num_epochs
    )
)
w = jnp.zeros(2)
state = optimizer.init(w)
data = jnp.ones((4, 5, 2))
for epoch in range(cfg.num_epochs):
    for batch in data:
        gradient = jax.grad(lambda w, x: jnp.mean((x @ w - 1.0) ** 2))(w, batch)
        updates, state = optimizer.update(gradient, state)
        w = optax.apply_updates(w, updates)
print(w)
