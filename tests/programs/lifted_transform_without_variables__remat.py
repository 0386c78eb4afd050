# expects: lifted-transform-without-variables at 20
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Layer(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x, _):
        return x + nn.Dense(self.width)(nn.gelu(nn.LayerNorm()(x))), None


class Stack(nn.Module):
    @nn.compact
    def __call__(self, x):
        layer = nn.remat(Layer, prevent_cse=False)
        layers = nn.scan(layer, split_rngs={"params": True}, length=3)
        return layers(4, name="layers")(x, None)[0]


model = Stack()
x = jnp.ones((2, 4))
params = model.init(jax.random.key(0), x)
print(model.apply(params, x).shape)
