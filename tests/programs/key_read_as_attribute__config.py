# expects: key-read-as-attribute at 9
import jax
import jax.numpy as jnp

config = {"width": 4, "rate": 0.1}


def make(config, key):
    shape = (3, config.width)
    return config.rate * jax.random.normal(key, shape)


print(make(config, jax.random.key(0)).shape)
