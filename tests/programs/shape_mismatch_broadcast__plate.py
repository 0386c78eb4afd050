# expects: shape-mismatch-broadcast at 14
# needs: numpyro
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from jax import random
from numpyro.infer import MCMC, NUTS, SVI, Predictive, Trace_ELBO, autoguide


def model(groups, y=None):
    with numpyro.plate("groups", 5):
        a = numpyro.sample("a", dist.Normal(0, 1))
    with numpyro.plate("data", 12):
        numpyro.sample("y", dist.Normal(a, 1.0), obs=y)


groups = jnp.arange(12) % 5
mcmc = MCMC(NUTS(model), num_warmup=3, num_samples=3, progress_bar=False)
mcmc.run(random.PRNGKey(0), groups, jnp.ones(12))
