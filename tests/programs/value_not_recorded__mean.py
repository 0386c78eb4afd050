# expects: value-not-recorded at 12
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import Predictive


def harvest(rain, tons=None):
    effect = numpyro.sample("effect", dist.Normal(1.0, 0.2))
    expected = effect * jnp.log1p(rain)
    with numpyro.plate("fields", rain.shape[0]):
        numpyro.sample("tons", dist.Normal(expected, 0.1), obs=tons)


def summarise(draws):
    return {name: draws[name].mean(axis=0) for name in ("tons",)}, draws["expected"].std(axis=0)


rain = jnp.array([10.0, 25.0, 40.0])
draws = Predictive(harvest, num_samples=20)(jax.random.key(0), rain)
print(summarise(draws))
