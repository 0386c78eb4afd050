# expects: name-used-twice at 12
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Smoothed(nn.Module):
    rates: tuple[float, ...] = (0.9, 0.99)

    def setup(self):
        self.means = [self.variable("ema", "mean", jnp.zeros, (4,)) for _ in self.rates]

    def __call__(self, x):
        return sum(mean.value + x.mean(0) for mean in self.means)


readings = jnp.ones((5, 4))
print(Smoothed().init(jax.random.key(0), readings)["ema"].keys())
