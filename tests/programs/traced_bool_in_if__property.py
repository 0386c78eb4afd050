# expects: traced-bool-in-if at 19
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Ball:
    height: jax.Array
    speed: jax.Array

    @property
    def is_down(self):
        return self.height <= 0.0


def bounce(ball, dt):
    if ball.is_down:
        return Ball(jnp.zeros(()), -0.8 * ball.speed)
    return Ball(ball.height + dt * ball.speed, ball.speed - 9.81 * dt)


@jax.jit
def simulate(height, dt):
    ball = bounce(Ball(height, jnp.zeros(())), dt)
    return bounce(ball, dt).height


simulate(1.0, 0.1)
