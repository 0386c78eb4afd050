# expects: remat-argument-not-static at 17
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class MLP(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.BatchNorm(use_running_average=not train)(x)
        x = nn.Dense(512)(x)
        x = nn.relu(x)
        return nn.Dense(1)(x)


MLP = nn.remat(MLP, static_argnums=(1,))
model = MLP()
input_example = jnp.ones((4, 8))
variables = model.init(jax.random.key(42), input_example, True)
