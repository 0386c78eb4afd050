# expects: key-array-for-key at 20
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Noisy(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dropout(0.5, deterministic=False)(nn.Dense(4)(x))


class Fit:
    def __init__(self):
        self.rest = jax.random.split(jax.random.key(0), 2)[1:]
        self.params = Noisy().init({"params": jax.random.key(1), "dropout": jax.random.key(2)}, X)

    def predict(self, x, key):
        return Noisy().apply(self.params, x, rngs={"dropout": key})


X = jnp.ones((2, 3))
fit = Fit()
print(jax.jit(fit.predict)(X, fit.rest).shape)
