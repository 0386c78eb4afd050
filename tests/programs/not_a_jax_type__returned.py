# expects: not-a-jax-type at 15
import jax
import jax.numpy as jnp


class Ball:
    def __init__(self, height, speed):
        self.height = height
        self.speed = speed


@jax.jit
def fall(height, speed):
    speed = speed - 0.981
    return Ball(height + 0.1 * speed, speed)


fall(jnp.float32(10), jnp.float32(0))
