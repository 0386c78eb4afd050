# expects: function-not-called at 14
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS


def model(y):
    numpyro.sample("y", dist.Normal(numpyro.sample("mu", dist.Normal(0.0, 1.0)), 1.0), obs=y)


mcmc = MCMC(NUTS, num_warmup=5, num_samples=5, progress_bar=False)
mcmc.run(jax.random.key(0), jnp.ones(4))
