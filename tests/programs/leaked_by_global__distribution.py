# expects: leaked-by-global at 15
# needs: numpyro
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from jax import random
from numpyro.infer import MCMC, NUTS, SVI, Predictive, Trace_ELBO, autoguide


cache = {}


def model(y):
    s = numpyro.sample("s", dist.HalfNormal(1.0))
    cache["d"] = dist.Normal(0.0, s)
    numpyro.sample("y", cache["d"], obs=y)


mcmc = MCMC(NUTS(model), num_warmup=3, num_samples=3, progress_bar=False)
mcmc.run(random.PRNGKey(0), jnp.ones(3))
print(cache["d"].scale * 2)
