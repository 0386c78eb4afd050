# expects: wrong-arity at 19
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import SVI, Trace_ELBO, autoguide


def births(year, count=None):
    rate = numpyro.sample("rate", dist.Normal(0.0, 0.1))
    with numpyro.plate("years", year.shape[0]):
        numpyro.sample("count", dist.Poisson(jnp.exp(2.0 + rate * year)), obs=count)


class Fit:
    def run(self, key, year, count, rounds=5):
        svi = SVI(births, autoguide.AutoNormal(births), numpyro.optim.Adam(0.1), Trace_ELBO())
        state = svi.init(key)
        for _ in range(rounds):
            state, loss = svi.update(state, year, count)
        return svi.get_params(state)


year = jnp.arange(4.0)
print(sorted(Fit().run(jax.random.key(0), year, jnp.array([8.0, 7.0, 9.0, 8.0]))))
