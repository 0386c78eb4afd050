# expects: unhashable-static-field at 26
# needs: flax
import functools

import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    sizes: tuple
    rate: float = 0.1

    @nn.compact
    def __call__(self, x):
        for size in self.sizes:
            x = nn.relu(nn.Dense(size)(x))
        return x.sum()


@functools.partial(jax.jit, static_argnums=0)
def slope(net, weights, x):
    return jax.grad(lambda w: net.apply({"params": w}, x))(weights)


net = Net([4, 3])
x = jnp.ones((2, 5))
print(slope(net, net.init(jax.random.key(0), x)["params"], x)["Dense_1"]["bias"])
