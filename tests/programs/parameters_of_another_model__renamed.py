# expects: parameters-of-another-model at 21
# needs: flax
import jax
import jax.numpy as jnp
from flax import linen as nn


class Encoder(nn.Module):
    def setup(self):
        self.proj = nn.Dense(8)
        self.norm = nn.LayerNorm()

    def __call__(self, x):
        return self.norm(self.proj(x))


model = Encoder()
x = jnp.ones((2, 4))
params = model.init(jax.random.key(0), x)["params"]
pretrained = {"Dense_0": params["proj"], "norm": params["norm"]}
print(model.apply({"params": pretrained}, x).shape)
