# expects: layer-without-key at 22
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(4)(x)
        x = nn.Dropout(0.5, deterministic=not train)(x)
        return nn.Dense(1)(x)


net = Net()
key = jax.random.key(0)
variables = net.init(key, jnp.ones((2, 3)), train=False)


def loss_fn(variables, x):
    return net.apply(variables, x, train=True).mean()


print(jax.grad(loss_fn)(variables, jnp.ones((5, 3))))
