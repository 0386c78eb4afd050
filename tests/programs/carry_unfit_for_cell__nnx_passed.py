# expects: carry-unfit-for-cell at 19
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Reader(nnx.Module):
    def __init__(self, features, hidden, rngs):
        self.cell = nnx.OptimizedLSTMCell(features, hidden, rngs=rngs)
        self.rnn = nnx.RNN(self.cell)
        self.hidden = hidden

    def __call__(self, x, start):
        return self.rnn(x, initial_carry=start)


def zero_state(batch, hidden):
    return jnp.zeros((batch, hidden))


def main():
    reader = Reader(5, 8, nnx.Rngs(0))
    x = jax.random.normal(jax.random.key(1), (3, 7, 5))
    start = zero_state(x.shape[0], reader.hidden)
    print(reader(x, start).shape)


main()
