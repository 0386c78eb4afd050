# expects: linen-missing-collection at 19
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train: bool):
        x = nn.Dense(4)(x)
        x = nn.BatchNorm(use_running_average=not train)(x)
        return nn.Dense(1)(x)


net = Net()
variables = net.init(jax.random.key(0), jnp.ones((2, 3)), train=False)
params = variables["params"]
y = net.apply({"params": params}, jnp.ones((5, 3)), train=False)
print(y.shape)
