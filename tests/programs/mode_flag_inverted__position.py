# expects: mode-flag-inverted at 16
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Block(nn.Module):
    training: bool

    def setup(self):
        self.dense = nn.Dense(4)
        self.dropout = nn.Dropout(0.5)

    def __call__(self, x):
        return self.dense(self.dropout(x, deterministic=self.training))


x = jnp.ones((3, 2))
variables = Block(True).init(jax.random.key(0), x)
print(Block(True).apply(variables, x).shape)
