# expects: carry-unfit-for-cell at 11
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Reader(nn.Module):
    @nn.compact
    def __call__(self, letters):
        start = (jnp.zeros((2, 7)), jnp.zeros((2, 7)))
        return nn.RNN(nn.GRUCell(7))(letters, initial_carry=start)


print(Reader().init_with_output(jax.random.key(0), jnp.ones((2, 6, 3)))[0].shape)
