# expects: vmap-body-sees-one-example at 7
import jax
import jax.numpy as jnp


def norm(x):
    return x / jnp.sqrt(jnp.sum(x**2, axis=1))


jax.vmap(norm)(jnp.ones((4, 3)))
