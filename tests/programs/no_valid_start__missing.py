# expects: no-valid-start at 12
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS


def trend(days, sales=None):
    slope = numpyro.sample("slope", dist.Normal(0.0, 1.0))
    numpyro.sample("sales", dist.Normal(slope * days, 1.0), obs=sales)


def main():
    days, sales = jnp.arange(4.0), jnp.array([0.1, 0.9, jnp.nan, 3.1])
    mcmc = MCMC(NUTS(trend), num_warmup=5, num_samples=5, progress_bar=False)
    mcmc.run(jax.random.key(0), days, sales=sales)
    mcmc.print_summary()


main()
