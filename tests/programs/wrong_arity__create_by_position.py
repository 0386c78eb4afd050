# expects: wrong-arity at 22
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


class Tagger(nn.Module):
    tags: int

    @nn.compact
    def __call__(self, x):
        return nn.Dense(self.tags)(nn.tanh(nn.Dense(12)(x)))


def begin(key, rate):
    model = Tagger(4)
    params = model.init(key, jnp.ones((1, 6)))["params"]
    optimizer = optax.adam(rate)
    return train_state.TrainState.create(model.apply, params, optimizer)


state = begin(jax.random.key(0), 1e-3)
print(state.step)
