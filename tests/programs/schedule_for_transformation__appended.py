# expects: schedule-for-transformation at 13
# needs: optax
import jax
import jax.numpy as jnp
import optax


def make_optimizer(peak, warmup):
    rate = optax.join_schedules(
        [optax.linear_schedule(0.0, peak, warmup), optax.constant_schedule(peak)], [warmup]
    )
    parts = [optax.clip_by_global_norm(1.0), optax.scale_by_adam()]
    parts.append(rate)
    return optax.chain(*parts)


weights = jnp.ones(3)
optimizer = make_optimizer(1e-2, 5)
state = optimizer.init(weights)
updates, state = optimizer.update(jax.grad(jnp.sum)(weights), state)
print(updates.shape)
