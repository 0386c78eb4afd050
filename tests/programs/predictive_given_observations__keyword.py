# expects: predictive-given-observations at 17
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import Predictive


def counts_model(dose, counts=None):
    rate = numpyro.sample("rate", dist.Gamma(2.0, 1.0))
    with numpyro.plate("patients", len(dose)):
        return numpyro.sample("counts", dist.Poisson(rate * dose), obs=counts)


dose, counts = jnp.array([1.0, 2.0, 4.0]), jnp.array([1, 3, 9])
drawn = Predictive(counts_model, num_samples=7)(jax.random.key(0), dose, counts=counts)
print(drawn["counts"].mean(axis=0))
