# expects: wrong-arity at 16
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS


def heights(observed):
    mean = numpyro.sample("mean", dist.Normal(170.0, 20.0))
    numpyro.sample("height", dist.Normal(mean, 5.0), obs=observed)


def draw(observed, key):
    sampler = MCMC(NUTS(heights), 30, 20, progress_bar=False)
    sampler.run(key, observed)
    return sampler.get_samples()["mean"].shape


print(draw(jnp.array([168.0, 174.0]), jax.random.key(0)))
