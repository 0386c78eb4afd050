# expects: carry-unfit-for-cell at 25
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Sampler(nn.Module):
    vocabulary: int
    hidden: int

    @nn.compact
    def __call__(self, state, letter):
        state, y = nn.OptimizedLSTMCell(self.hidden)(state, jax.nn.one_hot(letter, self.vocabulary))
        return state, nn.Dense(self.vocabulary)(y)


def sample(model, variables, state, letter, length):
    for _ in range(length):
        state, logits = model.apply(variables, state, letter)
        letter = logits.argmax(-1)
    return letter


start = jnp.zeros((3, 9))
model = Sampler(vocabulary=5, hidden=9)
variables = model.init(jax.random.key(0), start, jnp.zeros(3, jnp.int32))
print(sample(model, variables, start, jnp.zeros(3, jnp.int32), 4))
