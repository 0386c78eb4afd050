# expects: result-not-unpacked at 16
import jax
import jax.numpy as jnp
from jax.experimental import checkify


def advect(u, speed):
    checkify.check(jnp.all(speed <= 1.0), "too fast")
    return u - speed * (u - jnp.roll(u, 1)), jnp.max(speed)


checked = jax.jit(checkify.checkify(advect))
u = jnp.sin(jnp.arange(8.0))
speed = jnp.full(8, 0.5)
for _ in range(3):
    u, largest = checked(u, speed)
print(u, largest)
