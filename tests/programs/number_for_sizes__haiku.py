# expects: number-for-sizes at 14
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


class RMSNorm(hk.Module):
    def __init__(self, width, name=None):
        super().__init__(name=name)
        self.width = width

    def __call__(self, x):
        scale = hk.get_parameter("scale", self.width, init=jnp.ones)
        return scale * x / jnp.sqrt(jnp.mean(x**2, axis=-1, keepdims=True) + 1e-6)


def forward(tokens):
    x = hk.Embed(20, 8)(tokens)
    x = RMSNorm(8)(x)
    return hk.Linear(20)(x)


net = hk.transform(forward)
tokens = jnp.arange(12).reshape(3, 4)
params = net.init(jax.random.PRNGKey(0), tokens)
print(net.apply(params, None, tokens).shape)
