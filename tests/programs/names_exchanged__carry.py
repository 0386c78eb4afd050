# expects: names-exchanged at 10
import jax
import jax.numpy as jnp


def swing(carry, _):
    angle, speed = carry
    speed = speed - 0.1 * jnp.sin(angle)
    angle = angle + 0.1 * speed
    return (speed, angle), angle


(angle, speed), path = jax.lax.scan(swing, (jnp.float32(1.0), jnp.float32(0.0)), length=5)
print(path)
