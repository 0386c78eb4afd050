# expects: layer-takes-one-example at 17
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Reader(eqx.Module):
    words: eqx.nn.Embedding
    score: eqx.nn.Linear

    def __init__(self, key):
        self.words = eqx.nn.Embedding(20, 4, key=key)
        self.score = eqx.nn.Linear(4, 1, key=key)

    def __call__(self, text):
        return self.score(self.words(text).mean(0))


reader = Reader(jax.random.key(0))
print(reader(jnp.array([3, 1, 4, 1, 5])))
