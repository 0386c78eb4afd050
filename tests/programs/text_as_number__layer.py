# expects: text-as-number at 14
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Tower(nn.Module):
    widths: list

    @nn.compact
    def __call__(self, x):
        for width in self.widths:
            x = nn.tanh(nn.Dense(width)(x))
        return x


tower = Tower("16,8".split(","))
params = tower.init(jax.random.key(0), jnp.ones((2, 3)))
print(tower.apply(params, jnp.ones((2, 3))).shape)
