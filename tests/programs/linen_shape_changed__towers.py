# expects: linen-shape-changed at 18
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Siamese(nn.Module):
    width: int = 6

    def setup(self):
        self.query = nn.Dense(self.width)
        self.document = nn.Dense(self.width)
        self.scale = self.param("scale", nn.initializers.ones, ())

    def __call__(self, question, page):
        left = self.query(question)
        right = self.query(page)
        return self.scale * jnp.sum(left * right, axis=-1)


question, page = jnp.ones((4, 3)), jnp.ones((4, 9))
print(Siamese().init_with_output(jax.random.key(0), question, page)[0])
