# expects: key-not-passed at 14
# needs: numpyro
import numpyro
import numpyro.distributions as dist
from jax import random
from numpyro.infer import MCMC, NUTS, SVI, Predictive, Trace_ELBO, autoguide


def model(n):
    return numpyro.sample("x", dist.Normal(0, 1).expand([n]))


def draw(n):
    return Predictive(model, num_samples=3)(n=n)


print(draw(4))
