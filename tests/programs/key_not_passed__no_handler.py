# expects: key-not-passed at 15
# needs: numpyro
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from jax import random
from numpyro.infer import MCMC, NUTS, SVI, Predictive, Trace_ELBO, autoguide


def model(x):
    w = numpyro.sample("w", dist.Normal(0, 1))
    return w * x


print(model(jnp.ones(3)))
