# expects: arguments-swapped at 9
import jax
import jax.numpy as jnp


class Walkers:
    def __init__(self, key, count):
        self.key = key
        self.places = jax.random.uniform(key, -1.0, 1.0, (count, 2))

    def spread(self):
        return jnp.std(self.places)


print(Walkers(jax.random.key(3), 10).spread())
