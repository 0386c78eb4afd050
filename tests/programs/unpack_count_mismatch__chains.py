# expects: unpack-count-mismatch at 20
# needs: blackjax
import functools

import blackjax
import jax
import jax.numpy as jnp


def log_density(data, position):
    center, log_width = position
    scaled = (data - center) / jnp.exp(log_width)
    return -0.5 * jnp.sum(scaled**2) - data.size * log_width


def main(chains=5):
    target = functools.partial(log_density, jnp.linspace(-1.0, 1.0, 20))
    kernel = blackjax.mala(target, 1e-2)
    starts = jnp.zeros((chains, 2))
    states = kernel.init(starts)
    return states.position


print(main())
