# expects: samples-grouped-by-chain at 31
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS, Predictive

numpyro.set_host_device_count(2)


def regression(weight, height=None):
    slope = numpyro.sample("slope", dist.Normal(0.0, 1.0))
    offset = numpyro.sample("offset", dist.Normal(0.0, 1.0))
    noise = numpyro.sample("noise", dist.HalfNormal(1.0))
    with numpyro.plate("people", weight.shape[0]):
        return numpyro.sample("height", dist.Normal(offset + slope * weight, noise), obs=height)


def fit(weight, height, key):
    mcmc = MCMC(NUTS(regression), num_warmup=30, num_samples=40, num_chains=2, progress_bar=False)
    mcmc.run(key, weight, height)
    return mcmc


def main():
    key_data, key_fit, key_predict = jax.random.split(jax.random.key(4), 3)
    weight = jnp.linspace(-1.0, 1.0, 25)
    height = 0.7 * weight + 0.1 * jax.random.normal(key_data, (25,))
    mcmc = fit(weight, height, key_fit)
    draws = mcmc.get_samples(group_by_chain=True)
    predict = Predictive(regression, posterior_samples=draws)
    heights = predict(key_predict, jnp.linspace(-2.0, 2.0, 7))["height"]
    print(heights.mean(axis=0).shape)


main()
