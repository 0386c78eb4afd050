# expects: value-never-read at 13
import jax
import jax.numpy as jnp


def log_likelihood(theta, samples):
    return -0.5 * jnp.sum((samples - theta) ** 2), jnp.var(samples - theta)


def log_posterior(theta, samples):
    likelihood, variance = log_likelihood(theta, samples)
    total = likelihood - 0.5 * theta**2
    likelihood = jnp.where(variance < 0.5, likelihood, -1e6)
    return total


print(jax.jit(log_posterior)(jnp.float32(0.5), jnp.array([0.0, 2.0])))
