# expects: distribution-parameter-invalid at 14
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS


def arrivals(hours, seen):
    base = numpyro.sample("base", dist.Normal(0.0, 1.0))
    growth = numpyro.sample("growth", dist.Normal(0.0, 1.0))
    with numpyro.plate("hours", hours.size):
        numpyro.sample("seen", dist.Poisson(base + growth * hours), obs=seen)


sampler = MCMC(NUTS(arrivals), num_warmup=4, num_samples=4, progress_bar=False)
sampler.run(jax.random.key(0), jnp.linspace(-2.0, 2.0, 9), jnp.arange(9))
