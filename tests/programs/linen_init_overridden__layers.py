# expects: linen-init-overridden at 9
# needs: flax
import jax
import jax.numpy as jnp
from flax import linen as nn


class Regressor(nn.Module):
    def __init__(self, hidden, outputs=1):
        super().__init__()
        self.first = nn.Dense(hidden)
        self.last = nn.Dense(outputs)

    def __call__(self, x):
        return self.last(nn.relu(self.first(x)))


net = Regressor(12)
x = jnp.ones((4, 2))
weights = net.init(jax.random.key(0), x)
print(net.apply(weights, x).shape)
