# expects: scan-carry-shape-change at 11
import jax
import jax.numpy as jnp


def sail(state, wind):
    position, is_home = state
    position = position + wind
    distance = jnp.abs(position)[None]
    is_home = distance < 0.5
    return (distance, is_home[0]), position


start = (jnp.float32(3), 0.0)
print(jax.lax.scan(sail, start, -jnp.ones(4)))
