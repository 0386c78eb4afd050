# expects: assigned-to-frozen-object at 21
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Ball:
    height: jax.Array
    speed: jax.Array


@jax.jit
def fall(ball, dt):
    speed = ball.speed - 9.81 * dt
    height = ball.height + speed * dt
    bounced = height < 0
    if_down = jnp.where(bounced, -speed, speed)
    ball.height = jnp.abs(height)
    ball.speed = if_down
    return ball


ball = Ball(jnp.float32(2.0), jnp.float32(0.0))
for _ in range(5):
    ball = fall(ball, 0.1)
print(ball.height)
