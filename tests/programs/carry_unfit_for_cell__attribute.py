# expects: carry-unfit-for-cell at 27
# needs: flax
import jax
import jax.numpy as jnp
from flax import linen as nn


class Tagger(nn.Module):
    hidden: int
    tags: int

    @nn.compact
    def __call__(self, frames, carry):
        rnn = nn.RNN(nn.LSTMCell(self.hidden), return_carry=True)
        carry, features = rnn(frames, initial_carry=carry)
        return carry, nn.Dense(self.tags)(features)


class Stream:
    def __init__(self, key, batch, hidden=12):
        self.model = Tagger(hidden, tags=5)
        self.batch, self.hidden = batch, hidden
        self.carry = self.fresh()
        self.variables = self.model.init(key, jnp.zeros((batch, 4, 9)), self.carry)

    def fresh(self):
        zeros = jnp.zeros((self.batch, self.hidden))
        return zeros

    def push(self, frames):
        self.carry, logits = self.model.apply(self.variables, frames, self.carry)
        return logits.argmax(axis=-1)


stream = Stream(jax.random.key(0), batch=3)
for chunk in range(2):
    tags = stream.push(jnp.full((3, 4, 9), 0.1 * chunk))
print(tags.shape)
