# expects: unpack-count-mismatch at 18
import functools

import jax
import jax.numpy as jnp


def log_density(data, position):
    center, log_width = position
    scaled = (data - center) / jnp.exp(log_width)
    return -0.5 * jnp.sum(scaled**2) - data.size * log_width


def main(chains=5):
    target = functools.partial(log_density, jnp.linspace(-1.0, 1.0, 20))
    evaluate = jax.jit(target)
    starts = jnp.zeros((chains, 2))
    energies = evaluate(starts)
    return energies


print(main())
