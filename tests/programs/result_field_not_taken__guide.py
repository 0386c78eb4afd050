# expects: result-field-not-taken at 19
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import SVI, Trace_ELBO
from numpyro.infer.autoguide import AutoNormal


def weights(grams):
    mean = numpyro.sample("mean", dist.Normal(0.0, 10.0))
    numpyro.sample("grams", dist.Normal(mean, 1.0), obs=grams)


guide = AutoNormal(weights)
svi = SVI(weights, guide, numpyro.optim.Adam(0.1), Trace_ELBO())
fitted = svi.run(jax.random.key(0), 5, jnp.array([3.0, 4.0]), progress_bar=False)
print(guide.median(fitted)["mean"].shape)
