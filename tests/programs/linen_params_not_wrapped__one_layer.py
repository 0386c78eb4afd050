# expects: linen-params-not-wrapped at 20
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


def start(key, x):
    layer = nn.Dense(4, name="readout")
    return layer, layer.init(key, x)["params"]


def error(params, layer, x, y):
    return jnp.mean((layer.apply({"params": params}, x) - y) ** 2)


x, y = jnp.ones((2, 3)), jnp.zeros((2, 4))
layer, params = start(jax.random.key(0), x)
grads = jax.grad(error)(params, layer, x, y)
print(layer.apply(params, x).shape)
