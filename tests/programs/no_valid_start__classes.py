# expects: no-valid-start at 17
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS


class Votes:
    def __init__(self, parties):
        self.parties = parties

    def __call__(self, vote=None):
        share = numpyro.sample("share", dist.Dirichlet(jnp.ones(self.parties)))
        with numpyro.plate("voters", 5):
            numpyro.sample("vote", dist.Categorical(share), obs=vote)


sampler = MCMC(NUTS(Votes(3)), num_warmup=5, num_samples=5, progress_bar=False)
sampler.run(jax.random.key(1), jnp.array([1, 2, 3, 3, 1]))
