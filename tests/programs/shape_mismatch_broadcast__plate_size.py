# expects: shape-mismatch-broadcast at 13
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS


def shops(shop, prices=None, count=3):
    with numpyro.plate("shops", count):
        level = numpyro.sample("level", dist.Normal(0.0, 1.0))
    with numpyro.plate("receipts", count):
        numpyro.sample("prices", dist.Normal(level[shop], 1.0), obs=prices)


mcmc = MCMC(NUTS(shops), num_warmup=3, num_samples=3, progress_bar=False)
mcmc.run(jax.random.key(0), jnp.array([0, 1, 2, 0, 1]), prices=jnp.arange(5.0))
print(mcmc.get_samples()["level"].shape)
