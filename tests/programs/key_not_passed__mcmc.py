# expects: key-not-passed at 15
# needs: numpyro
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from jax import random
from numpyro.infer import MCMC, NUTS, SVI, Predictive, Trace_ELBO, autoguide


def model(x):
    numpyro.sample("w", dist.Normal(0, 1))


mcmc = MCMC(NUTS(model), num_warmup=3, num_samples=3, progress_bar=False)
mcmc.run(jnp.ones(3))
