# expects: linen-params-not-wrapped at 20
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(4)(x)


class Trainer:
    def __init__(self, net, x):
        self.net = net
        self.params = net.init(jax.random.key(0), x)["params"]

    def predict(self, x):
        return self.net.apply(self.params, x)


print(Trainer(Net(), jnp.ones((2, 3))).predict(jnp.ones((4, 3))).shape)
