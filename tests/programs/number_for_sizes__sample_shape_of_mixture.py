# expects: number-for-sizes at 13
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.handlers import seed, trace

GROUPS = 3


def mixture(data):
    centres = numpyro.sample("centres", dist.Normal(0.0, 3.0), sample_shape=GROUPS)
    weights = numpyro.sample("weights", dist.Dirichlet(jnp.ones(GROUPS)))
    parts = dist.Normal(centres, 1.0)
    with numpyro.plate("data", data.shape[0]):
        numpyro.sample("y", dist.MixtureSameFamily(dist.Categorical(weights), parts), obs=data)


sites = trace(seed(mixture, jax.random.key(0))).get_trace(jnp.linspace(-3.0, 3.0, 7))
print(sites["centres"]["value"])
