# expects: config-flag-not-static at 23
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, deterministic):
        x = nn.Dense(4)(x)
        return nn.Dropout(0.5)(x, deterministic=deterministic)


net = Net()
variables = net.init(jax.random.key(0), jnp.ones((2, 3)), True)


def evaluate(variables, x, key, deterministic=True):
    return net.apply(variables, x, deterministic, rngs={"dropout": key})


evaluate = jax.jit(evaluate)
print(evaluate(variables, jnp.ones((2, 3)), jax.random.key(1), deterministic=False))
