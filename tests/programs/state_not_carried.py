# expects: state-not-carried at 18
import jax
import jax.numpy as jnp


@jax.jit
def smooth(level, trend, value):
    before = level
    level = 0.5 * value + 0.5 * (level + trend)
    trend = 0.8 * trend + 0.2 * (level - before)
    return level, trend


level = jnp.array(1.0)
trend = jnp.array(0.0)
seen = jnp.array([1.0, 2.0, 4.0])
for value in seen:
    level, _ = smooth(level, trend, value)
