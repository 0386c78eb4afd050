# expects: layer-without-key at 33
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Tagger(eqx.Module):
    hidden: eqx.nn.Linear
    drop: eqx.nn.Dropout
    head: eqx.nn.Linear

    def __init__(self, key):
        first, second = jax.random.split(key)
        self.hidden = eqx.nn.Linear(4, 8, key=first)
        self.drop = eqx.nn.Dropout(0.1)
        self.head = eqx.nn.Linear(8, 2, key=second)

    def features(self, word, rng):
        return self.drop(jax.nn.relu(self.hidden(word)), key=rng)

    def __call__(self, word, rng=None):
        return self.head(self.features(word, rng))


class Training:
    def __init__(self, model):
        self.model = model

    def loss(self, model, sentences, key):
        scores = (
            # every word of every sentence
            jax.vmap(jax.vmap(model))(sentences)
        )
        return jnp.mean(scores**2)

    def step(self, sentences, key):
        return eqx.filter_value_and_grad(self.loss)(self.model, sentences, key)


training = Training(Tagger(jax.random.key(0)))
loss, _ = training.step(jnp.ones((3, 5, 4)), jax.random.key(1))
