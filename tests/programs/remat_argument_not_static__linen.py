# expects: remat-argument-not-static at 19
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Layer(nn.Module):
    rate: float

    @nn.compact
    def __call__(self, x, scale, training):
        y = nn.Dense(3)(x) * scale
        return nn.Dropout(self.rate)(y, deterministic=not training)


class Stack(nn.Module):
    def setup(self):
        checkpointed = nn.checkpoint(Layer)
        self.layers = [checkpointed(0.1) for _ in range(2)]

    def __call__(self, x, training=False):
        for layer in self.layers:
            x = layer(x, 2.0, training=training)
        return x


Stack().init(jax.random.key(0), jnp.ones((2, 3)))
