# expects: result-not-unpacked at 18
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Watched(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(3)(x))
        self.sow("intermediates", "hidden", x)
        return nn.Dense(2)(x)


x = jnp.ones((4, 5))
params = {"params": Watched().init(jax.random.key(0), x)["params"]}
scores = Watched().apply(params, x, mutable="intermediates")
print(jnp.argmax(scores, axis=-1))
