# expects: observations-not-given at 16
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro import optim
from numpyro.infer import SVI, Trace_ELBO
from numpyro.infer.autoguide import AutoNormal


def weights(measured):
    mean = numpyro.sample("mean", dist.Normal(0.0, 5.0))
    spread = numpyro.sample("spread", dist.HalfNormal(1.0))
    with numpyro.plate("animals", 8):
        numpyro.sample("weight", dist.Normal(mean, spread))


guide = AutoNormal(weights)
svi = SVI(weights, guide, optim.Adam(0.01), Trace_ELBO())
result = svi.run(jax.random.key(0), 4, jnp.linspace(2.0, 3.0, 8), progress_bar=False)
print(result.losses.shape)
