# expects: number-for-sizes at 11
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS


def coefficients(features):
    return numpyro.sample("coefficients", dist.Normal(0, 1), sample_shape=features.shape[1])


def model(features, price=None):
    mean = features @ coefficients(features)
    numpyro.sample("price", dist.Normal(mean, 1.0), obs=price)


features = jnp.ones((8, 3))
mcmc = MCMC(NUTS(model), num_warmup=5, num_samples=5, progress_bar=False)
mcmc.run(jax.random.key(0), features, price=features[:, 0])
