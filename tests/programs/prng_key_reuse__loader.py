# expects: prng-key-reuse at 12
import jax
import jax.numpy as jnp


class Loader:
    def __init__(self, x, key):
        self.x = x
        self.key = key

    def __iter__(self):
        order = jax.random.permutation(self.key, len(self.x))
        for i in range(0, len(self.x), 4):
            yield self.x[order[i : i + 4]]


loader = Loader(jnp.arange(12.0), jax.random.key(5))
mean = jnp.array(0.0)
for epoch in range(3):
    for batch in loader:
        mean = 0.9 * mean + 0.1 * batch.mean()
    print(epoch, mean)
