# expects: schedule-for-transformation at 13
# needs: optax
import jax
import jax.numpy as jnp
import optax


def build_optimizer(peak, total_steps, clip):
    schedule = optax.warmup_cosine_decay_schedule(0.0, peak, 5, total_steps)
    return optax.chain(
        optax.clip_by_global_norm(clip),
        optax.scale_by_adam(),
        schedule,
    )


def loss(w):
    return jnp.sum((w - 3.0) ** 2)


weights = jnp.zeros(4)
optimizer = build_optimizer(1e-2, 40, 1.0)
state = optimizer.init(weights)
for _ in range(4):
    updates, state = optimizer.update(jax.grad(loss)(weights), state)
    weights = optax.apply_updates(weights, updates)
print(weights.shape)
