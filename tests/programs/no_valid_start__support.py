# expects: no-valid-start at 14
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS


def germination(share):
    a = numpyro.sample("a", dist.Exponential(1.0))
    b = numpyro.sample("b", dist.Exponential(1.0))
    with numpyro.plate("pots", share.shape[0]):
        numpyro.sample("share", dist.Beta(a + 1.0, b + 1.0), obs=share)


sprouted = jnp.array([3, 9, 0, 7])
sampler = MCMC(NUTS(germination), num_warmup=5, num_samples=5, progress_bar=False)
sampler.run(jax.random.key(0), sprouted / 10)
