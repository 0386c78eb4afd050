# expects: unpack-count-mismatch at 15
import jax
import jax.numpy as jnp


@jax.jit
def simulate(position, velocity):
    acceleration = -position
    energy = 0.5 * velocity**2 + 0.5 * position**2
    velocity = velocity + 0.1 * acceleration
    position = position + 0.1 * velocity
    return position, velocity


position, velocity, energy = simulate(jnp.float32(1.0), jnp.float32(0.0))
