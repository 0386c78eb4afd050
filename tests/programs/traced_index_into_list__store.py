# expects: traced-index-into-list at 8
import jax
import jax.numpy as jnp


def shift_stop(stops, i, minutes):
    times = [stop for stop in stops]
    times[i] = times[i] + minutes
    return jnp.stack(times)


jax.jit(shift_stop)(jnp.array([5.0, 9.0]), 1, 2.0)
