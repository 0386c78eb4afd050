# expects: traced-static-param at 22
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    rate: float

    @nn.compact
    def __call__(self, x):
        x = nn.Dense(4)(x)
        return nn.Dropout(self.rate, deterministic=False)(x)


def forward(params, x, key, rate=0.1):
    return Net(rate).apply(params, x, rngs={"dropout": key})


params = Net(0.1).init({"params": jax.random.key(0), "dropout": jax.random.key(1)}, jnp.ones((2, 3)))
print(jax.jit(forward)(params, jnp.ones((2, 3)), jax.random.key(2), 0.2))
