# expects: number-for-sizes at 11
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS


def model(hours, passed=None):
    weights = numpyro.sample("weights", dist.Normal(0, 1), sample_shape=2)
    logits = weights[0] + weights[1] * hours
    with numpyro.plate("students", hours.shape[0]):
        numpyro.sample("passed", dist.Bernoulli(logits=logits), obs=passed)


def main():
    hours = jnp.array([0.5, 1.0, 2.0, 3.0])
    passed = jnp.array([0, 0, 1, 1])
    mcmc = MCMC(NUTS(model), num_warmup=10, num_samples=10, progress_bar=False)
    mcmc.run(jax.random.key(0), hours, passed)
    print(mcmc.get_samples()["weights"].shape)


main()
