# expects: value-instead-of-function at 14
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Head(nn.Module):
    width: int
    activation: str = "tanh"

    @nn.compact
    def __call__(self, x):
        x = self.activation(nn.Dense(self.width)(x))
        return nn.Dense(1)(x)


head = Head(6)
params = head.init(jax.random.key(0), jnp.ones((2, 3)))
print(head.apply(params, jnp.ones((2, 3))))
