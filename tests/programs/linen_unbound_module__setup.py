# expects: linen-unbound-module at 17
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    def setup(self):
        self.dense = nn.Dense(4)

    def __call__(self, x):
        return self.dense(x)


def predict(net, x):
    return net(x)


net = Net()
params = net.init(jax.random.key(0), jnp.ones((2, 3)))
out = predict(net, jnp.ones((2, 3)))
