# expects: float16-overflow at 7
import jax
import jax.numpy as jnp


def second(height, speed):
    height = height + speed
    return height, height


speeds = jnp.array([20000.0, 30000.0, 30000.0], dtype=jnp.float16)
print(jax.lax.scan(second, jnp.zeros((), jnp.float16), speeds)[1])
