# expects: linen-shape-changed at 19
# needs: flax
import jax
import jax.numpy as jnp
from flax import linen as nn


class Net(nn.Module):
    classes: int

    @nn.compact
    def __call__(self, x):
        return nn.Dense(self.classes, name="head")(nn.tanh(nn.Dense(8)(x)))


x = jnp.ones((2, 5))
trained = Net(classes=100).init(jax.random.key(0), x)
net = Net(classes=4)
print(net.apply(trained, x).shape)
