# expects: result-not-finite at 7
import jax
import jax.numpy as jnp


def occupation(levels, temperature):
    weights = jnp.exp(-levels / temperature)
    return weights / weights.sum()


levels = 40.0 + jnp.arange(5.0)
mean = jax.jit(lambda t: occupation(levels, t) @ levels)
print([f"{mean(t):.2f}" for t in (1.0, 0.5, 0.2)])
