# expects: array-lacks-axis at 6
import jax.numpy as jnp


def standardize(x):
    return (x - x.mean(axis=0)) / jnp.std(x, axis=1)


print(standardize(jnp.arange(6.0)))
