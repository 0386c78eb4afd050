# expects: attribute-typo at 7
import jax
import jax.numpy as jnp


def drift(x):
    return x - jnp.mean(x).detach()


jax.grad(lambda x: drift(x).sum())(jnp.ones(3))
