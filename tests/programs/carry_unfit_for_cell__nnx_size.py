# expects: carry-unfit-for-cell at 9
# needs: flax
import jax.numpy as jnp
from flax import nnx

cell = nnx.GRUCell(in_features=4, hidden_features=10, rngs=nnx.Rngs(0))
rnn = nnx.RNN(cell)
sequence = jnp.ones((3, 8, 4))
hidden = jnp.zeros((3, 4))
print(rnn(sequence, initial_carry=hidden).shape)
