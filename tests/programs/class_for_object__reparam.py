# expects: class-for-object at 21
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.handlers import reparam
from numpyro.infer import MCMC, NUTS
from numpyro.infer.reparam import LocScaleReparam, TransformReparam


def yields(fields, harvest=None):
    mean = numpyro.sample("mean", dist.Normal(3.0, 1.0))
    spread = numpyro.sample("spread", dist.HalfNormal(1.0))
    with numpyro.plate("fields", fields):
        field = numpyro.sample("field", dist.Normal(mean, spread))
        numpyro.sample("harvest", dist.Normal(field, 0.5), obs=harvest)


def fit(harvest):
    model = reparam(yields, config={"field": LocScaleReparam})
    mcmc = MCMC(NUTS(model), num_warmup=20, num_samples=20, progress_bar=False)
    mcmc.run(jax.random.key(0), len(harvest), harvest=harvest)
    return mcmc.get_samples()["mean"].shape


print(fit(jnp.array([2.9, 3.4, 4.1])), TransformReparam.__name__)
