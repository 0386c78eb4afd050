# expects: prng-key-reuse at 22
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS, Predictive


def model(x, y=None):
    a = numpyro.sample("a", dist.Normal(0, 1))
    b = numpyro.sample("b", dist.Normal(0, 1))
    numpyro.sample("y", dist.Normal(a + b * x, 1.0), obs=y)


rng_key = jax.random.PRNGKey(0)
x = jnp.linspace(-1, 1, 20)
y = 0.5 + 2.0 * x
mcmc = MCMC(NUTS(model), num_warmup=20, num_samples=20, progress_bar=False)
mcmc.run(rng_key, x, y)
predictive = Predictive(model, mcmc.get_samples())
samples = predictive(rng_key, x)
print(samples["y"].shape)
