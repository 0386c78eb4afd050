# expects: discrete-latent-site at 13
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS


class Switching:
    def model(self, counts):
        rates = numpyro.sample("rates", dist.Gamma(2.0, 1.0).expand([2]).to_event(1))
        switch = numpyro.sample("switch", dist.Categorical(jnp.ones(4) / 4))
        time = jnp.arange(counts.shape[0])
        numpyro.sample("counts", dist.Poisson(rates[(time > switch).astype(int)]), obs=counts)

    def fit(self, counts):
        mcmc = MCMC(NUTS(self.model), num_warmup=5, num_samples=5, progress_bar=False)
        mcmc.run(jax.random.key(0), counts)
        return mcmc.get_samples()


print(Switching().fit(jnp.array([1, 2, 8, 9])))
