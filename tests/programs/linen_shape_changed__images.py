# expects: linen-shape-changed at 21
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = x.reshape(x.shape[0], -1)
        return nn.Dense(4)(nn.relu(nn.Dense(16)(x)))


net = Net()
params = net.init(jax.random.key(0), jnp.ones((1, 28, 28)))


@jax.jit
def accuracy(params, images):
    return net.apply(params, images).argmax(-1)


print(accuracy(params, jnp.ones((2, 32, 32))))
