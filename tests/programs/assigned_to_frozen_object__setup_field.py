# expects: assigned-to-frozen-object at 13
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Attention(nn.Module):
    features: int
    head_size: int = 0

    def setup(self):
        self.head_size = self.head_size or self.features // 2
        self.query = nn.Dense(self.head_size)
        self.key = nn.Dense(self.head_size)

    def __call__(self, x):
        scores = self.query(x) @ self.key(x).T
        return nn.softmax(scores / self.head_size**0.5) @ x


model = Attention(8)
x = jnp.ones((5, 8))
params = model.init(jax.random.key(0), x)
print(model.apply(params, x).shape)
