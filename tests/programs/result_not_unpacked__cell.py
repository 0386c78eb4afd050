# expects: result-not-unpacked at 17
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Reader(nn.Module):
    width: int

    @nn.compact
    def __call__(self, words):
        cell = nn.GRUCell(self.width)
        state = jnp.zeros((words.shape[0], self.width))
        states = []
        for place in range(words.shape[1]):
            new = cell(state, words[:, place])
            states.append(new)
        return jnp.stack(states, axis=1)


Reader(4).init(jax.random.key(0), jnp.ones((2, 3, 5)))
