# expects: config-flag-not-static at 17
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train: bool = False):
        x = nn.Dense(4)(x)
        return nn.Dropout(0.5, deterministic=not train)(x)


net = Net()
variables = net.init(jax.random.key(0), jnp.ones((2, 3)))
apply = jax.jit(net.apply)
print(apply(variables, jnp.ones((2, 3)), train=False))
