# expects: layer-mode-missing at 11
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Encoder(nn.Module):
    @nn.compact
    def __call__(self, x, train: bool):
        norm = nn.BatchNorm(use_running_average=False, momentum=0.9)
        x = norm(nn.Dense(6)(x), use_running_average=not train)
        return nn.relu(x)


rows = jnp.ones((4, 3))
encoder = Encoder()
variables = encoder.init(jax.random.key(0), rows, train=False)
print(encoder.apply(variables, rows, train=False).shape)
