# expects: assigned-to-frozen-object at 14
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Tower(nn.Module):
    floors: int

    def setup(self):
        self.steps = []
        for _ in range(self.floors):
            self.steps.append(nn.Dense(4))

    def __call__(self, x):
        for step in self.steps:
            x = step(x)
        return x


Tower(2).init(jax.random.key(0), jnp.ones((1, 4)))
