# expects: lifted-transform-without-variables at 9
# needs: flax
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp

scanned = partial(nn.scan, in_axes=1, out_axes=1, split_rngs={"params": False})


class Caption(nn.Module):
    width: int = 5

    @nn.compact
    def __call__(self, words):
        state = jnp.zeros((words.shape[0], self.width))
        return scanned(nn.SimpleCell)(self.width)(state, words)[1]


words = jnp.ones((2, 6, 3))
print(Caption().init_with_output(jax.random.key(0), words)[0].shape)
