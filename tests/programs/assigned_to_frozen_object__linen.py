# expects: assigned-to-frozen-object at 13
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x):
        self.count = 3
        return nn.Dense(self.features)(x)


net = Net(4)
print(net.init(jax.random.key(0), jnp.ones((7, 3))))
