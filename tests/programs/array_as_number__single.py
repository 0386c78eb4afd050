# expects: array-as-number at 11
import jax
import jax.numpy as jnp


def energy(state, weights):
    return (state @ weights)[:1]


value = energy(jnp.ones(3), jnp.ones((3, 2)))
print("energy: {:.2f}".format(value), jax.__version__[:1])
