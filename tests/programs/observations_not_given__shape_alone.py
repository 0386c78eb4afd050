# expects: observations-not-given at 14
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS


def heights(measured):
    mean = numpyro.sample("mean", dist.Normal(170.0, 20.0))
    with numpyro.plate("people", measured.shape[0]):
        # The data would have to go in here.
        numpyro.sample("height", dist.Normal(mean, 10.0))


mcmc = MCMC(NUTS(heights), num_warmup=5, num_samples=5, progress_bar=False)
mcmc.run(jax.random.key(0), jnp.linspace(160.0, 180.0, 6))
print(mcmc.get_samples()["mean"].shape)
