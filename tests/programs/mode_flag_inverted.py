# expects: mode-flag-inverted at 12
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Model(nn.Module):
    @nn.compact
    def __call__(self, x, train: bool):
        x = nn.Dense(4)(x)
        x = nn.BatchNorm(use_running_average=train)(x)
        return nn.relu(x)


x = jnp.ones((3, 2))
variables = Model().init(jax.random.key(0), x, train=True)
print(Model().apply(variables, x, train=True).shape)
