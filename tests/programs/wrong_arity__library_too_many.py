# expects: wrong-arity at 7
import jax
import jax.numpy as jnp


def pick(key, weights):
    return jax.random.categorical(key, weights, -1, (2,), True, 3)


pick(jax.random.key(0), jnp.ones(3))
