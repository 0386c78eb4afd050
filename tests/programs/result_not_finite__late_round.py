# expects: result-not-finite at 8
import jax
import jax.numpy as jnp


def drain(level, minute):
    """The pump stops in minute 3700, and nobody divides by the flow that is left."""
    hours_left = level / (3700.0 - minute)
    return 0.999 * level, hours_left


@jax.jit
def forecast(level):
    return jax.lax.scan(drain, level, jnp.arange(5000.0))[1]


print(forecast(100.0)[-1])
