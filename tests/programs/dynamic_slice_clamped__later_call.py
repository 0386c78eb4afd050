# expects: dynamic-slice-clamped at 8
import jax
import jax.numpy as jnp


@jax.jit
def average(series, start):
    return jnp.mean(jax.lax.dynamic_slice(series, (start,), (4,)))


series = jnp.arange(10.0)
averages = [average(series, start) for start in range(0, 10, 4)]
