# expects: wrong-arity at 22
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import Predictive


def decay(times, activity=None):
    rate = numpyro.sample("rate", dist.LogNormal(-1.0, 0.2))
    with numpyro.plate("times", times.shape[0]):
        return numpyro.sample("activity", dist.Normal(jnp.exp(-rate * times), 0.05), obs=activity)


def prior_draws(model, count, **data):
    predictive = Predictive(model, num_samples=count)
    return predictive(jax.random.key(0), **data)


times = jnp.linspace(0.0, 4.0, 6)
draws = prior_draws(decay, 10, t=times)
print(draws["activity"].mean(axis=0))
