# expects: not-a-jax-type at 21
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Normal:
    def __init__(self, mean, scale):
        self.mean = mean
        self.scale = scale


class Policy(nn.Module):
    size: int

    @nn.compact
    def __call__(self, x):
        mean = nn.Dense(self.size)(x)
        scale = self.param("scale", nn.initializers.ones, (self.size,))
        return Normal(mean, scale)


policy = Policy(2)
x = jnp.ones((4, 3))
params = policy.init(jax.random.key(0), x)
action = jax.jit(policy.apply)(params, x)
print(action.mean.shape)
