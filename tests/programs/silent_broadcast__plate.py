# expects: silent-broadcast at 14
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS


def growth(heights):
    mean = numpyro.sample("mean", dist.Normal(0.0, 2.0))
    spread = numpyro.sample("spread", dist.HalfNormal(1.0))
    with numpyro.plate("plants", heights.shape[0]):
        numpyro.sample("heights", dist.Normal(mean, spread), obs=heights)


heights = jnp.linspace(0.0, 2.0, 7)[:, None]
sampler = MCMC(NUTS(growth), num_warmup=4, num_samples=4, progress_bar=False)
sampler.run(jax.random.key(0), heights)
