# expects: name-used-twice at 11
# needs: numpyro
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist


def model(x):
    total = 0.0
    for column in x.T:
        total += column * numpyro.sample("beta", dist.Normal(0, 1))
    numpyro.sample("y", dist.Normal(total, 1))


with numpyro.handlers.trace(), numpyro.handlers.seed(rng_seed=0):
    model(jnp.ones((4, 2)))
