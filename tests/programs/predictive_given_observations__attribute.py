# expects: predictive-given-observations at 19
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS, Predictive


class Growth:
    def __init__(self, days, heights):
        self.days = days
        self.heights = heights

    def model(self, days):
        rate = numpyro.sample("rate", dist.LogNormal(0.0, 0.5))
        spread = numpyro.sample("spread", dist.HalfNormal(1.0))
        with numpyro.plate("plants", days.shape[0]):
            numpyro.sample("height", dist.Normal(rate * days, spread), obs=self.heights)

    def predict(self, fit_key, draw_key):
        mcmc = MCMC(NUTS(self.model), num_warmup=20, num_samples=20, progress_bar=False)
        mcmc.run(fit_key, self.days)
        predictive = Predictive(self.model, mcmc.get_samples())
        draws = predictive(draw_key, self.days)
        return draws["height"]


days = jnp.arange(1.0, 6.0)
growth = Growth(days, 1.5 * days)
print(growth.predict(*jax.random.split(jax.random.key(0))).std(axis=0))
