# expects: lifted-transform-without-variables at 19
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Layer(nn.Module):
    @nn.compact
    def __call__(self, x, _):
        x = nn.BatchNorm(use_running_average=False)(nn.Dense(x.shape[-1])(x))
        return nn.relu(x), None


class Deep(nn.Module):
    @nn.compact
    def __call__(self, x):
        options = {"params": True}
        layers = nn.scan(Layer, variable_axes={"params": 0}, split_rngs=options, length=3)
        return layers()(x, None)[0]


x = jax.random.normal(jax.random.key(0), (8, 4))
print(jax.tree.map(jnp.shape, Deep().init(jax.random.key(1), x)))
