# expects: unrolled-loop at 9
import jax
import jax.numpy as jnp


@jax.jit
def trajectory(position, speed):
    heights = []
    for step in range(80):
        speed = speed - 0.1 * (9.8 + 0.02 * step)
        position = jnp.abs(position + 0.1 * speed)
        heights.append(position)
    return jnp.stack(heights)


print(trajectory(10.0, 0.0)[-1])
