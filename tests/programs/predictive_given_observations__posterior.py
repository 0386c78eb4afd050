# expects: predictive-given-observations at 20
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro import infer


def model(x, y):
    slope = numpyro.sample("slope", dist.Normal(0.0, 1.0))
    numpyro.sample("height", dist.Normal(slope * x, 1.0), obs=y)


def main():
    x = jnp.arange(5.0)
    y = 2.0 * x
    posterior = {"slope": jnp.array([1.5, 1.6])}
    predictive = infer.Predictive(model, posterior)
    result = predictive(jax.random.key(1), x, y)
    print(jnp.abs(result["height"] - y).max())


main()
