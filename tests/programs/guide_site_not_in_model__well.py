# expects: guide-site-not-in-model at 19
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.distributions import constraints
from numpyro.infer import SVI, Trace_ELBO


def well(depths, yields=None):
    slope = numpyro.sample("slope", dist.Normal(0.0, 1.0))
    noise = numpyro.sample("noise", dist.HalfNormal(1.0))
    with numpyro.plate("wells", depths.shape[0]):
        numpyro.sample("yields", dist.Normal(slope * depths, noise), obs=yields)


def guide(depths, yields=None):
    numpyro.sample("slopes", dist.Normal(numpyro.param("middle", 0.0), 0.1))
    width = numpyro.param("width", 0.5, constraint=constraints.positive)
    numpyro.sample("noise", dist.HalfNormal(width))


depths = jnp.linspace(0.0, 1.0, 10)
svi = SVI(well, guide, numpyro.optim.Adam(0.05), Trace_ELBO())
result = svi.run(jax.random.key(0), 20, depths, 2 * depths, progress_bar=False)
print(result.params["middle"])
