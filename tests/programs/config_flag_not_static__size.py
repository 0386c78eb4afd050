# expects: config-flag-not-static at 8
import jax
import jax.numpy as jnp


@jax.jit
def last_days(prices, days):
    if days == 0:
        return prices
    return jnp.ones(days).cumsum() + prices[-1]


last_days(jnp.array([3.0, 4.0]), 5)
