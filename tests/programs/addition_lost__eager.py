# expects: addition-lost at 16
import jax
import jax.numpy as jnp


@jax.jit
def drive(speed, seconds):
    return speed + 0.01 * jnp.cos(seconds)


speed = jnp.float32(1.0)
seconds = jnp.float32(1e6)
tick = jnp.float32(0.01)
for _ in range(30):
    speed = drive(speed, seconds)
    seconds = seconds + tick
print(seconds - 1e6)
