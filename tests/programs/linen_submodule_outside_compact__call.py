# expects: linen-submodule-outside-compact at 10
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    def __call__(self, x):
        return nn.Dense(4)(x)


net = Net()
print(net.init(jax.random.key(0), jnp.ones((7, 3))))
