# expects: not-a-key at 19
import jax
import jax.numpy as jnp


def stream(seed):
    key = jax.random.key(seed)
    while True:
        key, sub = jax.random.split(key)
        yield sub


class Noise:
    def __call__(self, key, x):
        return x + jax.random.normal(key, x.shape)


keys, noise = stream(0), Noise()
print(noise(keys, jnp.zeros(3)))
