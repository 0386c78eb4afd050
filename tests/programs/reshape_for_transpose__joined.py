# expects: reshape-for-transpose at 17
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Attention(nn.Module):
    heads: int = 2

    @nn.compact
    def __call__(self, x):
        b, t, c = x.shape
        shape = (b, t, self.heads, c // self.heads)
        q, k, v = (nn.Dense(c)(x).reshape(shape).swapaxes(1, 2) for _ in range(3))
        out = nn.softmax(q @ k.swapaxes(-1, -2)) @ v
        return nn.Dense(c)(out.reshape(b, t, c))


x = jnp.ones((3, 5, 8))
model = Attention()
params = model.init(jax.random.key(0), x)
print(jax.jit(model.apply)(params, x).shape)
