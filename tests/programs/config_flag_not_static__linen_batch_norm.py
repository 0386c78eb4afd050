# expects: config-flag-not-static at 22
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(4)(x)
        x = nn.BatchNorm(use_running_average=not train)(x)
        if train:
            x = x * 2
        return x


net = Net()
variables = net.init(jax.random.key(0), jnp.ones((2, 3)), True)


@jax.jit
def evaluate(variables, x, train):
    return net.apply(variables, x, train=train)


print(evaluate(variables, jnp.ones((2, 3)), False))
