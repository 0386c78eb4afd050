# expects: layer-without-key at 19
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class VAE(nn.Module):
    def setup(self):
        self.enc = nn.Dense(4)

    def __call__(self, x):
        m = self.enc(x)
        return m + jax.random.normal(self.make_rng("noise"), m.shape)


vae = VAE()
params = vae.init({"params": jax.random.key(0), "noise": jax.random.key(1)}, jnp.ones((2, 3)))
out = jax.jit(vae.apply)(params, jnp.ones((2, 3)))
print(out)
