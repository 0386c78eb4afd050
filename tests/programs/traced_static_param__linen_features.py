# expects: traced-static-param at 8
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


@jax.jit
def run(key, x, width):
    layer = nn.Dense(width)
    return layer.apply(layer.init(key, x), x)


print(run(jax.random.key(0), jnp.ones((2, 5)), 16).shape)
