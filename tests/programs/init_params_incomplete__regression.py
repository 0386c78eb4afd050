# expects: init-params-incomplete at 18
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS


def line(x, y):
    slope = numpyro.sample("slope", dist.Normal(0.0, 1.0))
    noise = numpyro.sample("noise", dist.Exponential(1.0))
    numpyro.sample("y", dist.Normal(slope * x, noise), obs=y)


def run(x, y, start):
    mcmc = MCMC(NUTS(line), num_warmup=3, num_samples=3, progress_bar=False)
    mcmc.run(jax.random.key(0), x, y, init_params=start)
    return mcmc.get_samples()


x = jnp.linspace(0.0, 1.0, 5)
print(run(x, 2 * x, {"slope": jnp.array(2.0)}))
