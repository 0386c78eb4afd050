# expects: name-used-twice at 14
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Stack(nn.Module):
    depth: int = 3

    @nn.compact
    def __call__(self, x):
        for _ in range(self.depth):
            shift = self.param("shift", nn.initializers.zeros, x.shape[-1:])
            x = nn.tanh(nn.Dense(x.shape[-1])(x) + shift)
        return x


model = Stack()
signal = jnp.linspace(0.0, 1.0, 12).reshape(3, 4)
print(model.init(jax.random.key(0), signal)["params"].keys())
