# expects: field-after-default at 18
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Layer(nn.Module):
    size: int
    rate: float = 0.0

    @nn.compact
    def __call__(self, x):
        return self.mix(nn.Dropout(self.rate, deterministic=True)(nn.Dense(self.size)(x)))


class Grouped(Layer):
    groups: int

    def mix(self, x):
        return nn.GroupNorm(self.groups)(x)


print(Grouped(8, groups=2).init_with_output(jax.random.key(0), jnp.ones((2, 3)))[0].shape)
